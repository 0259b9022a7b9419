#!/bin/sh
# Playwright has Firefox end when the process of a page does. The tests of crashes need it to go on.
unset MOZ_CRASHREPORTER_SHUTDOWN
echo $$ > "$TESTED_FIREFOX_PID"
exec "$TESTED_FIREFOX" "$@"
