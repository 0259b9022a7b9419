#!/usr/bin/python3
"""A window for each page that WebKitWebDriver asks for.

The MiniBrowser of WebKitGTK does the same, but keeps nothing on disk, has no setting for what sites may store, and
trusts no certificate of a test.
"""

import argparse

import gi

gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import Gio, Gtk, WebKit2  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument('--proxy', required=True, help='address that all requests go to')
parser.add_argument('--profile', required=True, help='folder for what sites store, and for the file `wishes`')
parser.add_argument('--refuse-storage', action='store_true', help='no site stores anything')
args = parser.parse_args()
wishes_file = f'{args.profile}/wishes'


def read_wishes(*_):
    with open(wishes_file) as file:
        wishes = file.read().split()
    settings = Gtk.Settings.get_default()
    settings.set_property('gtk-application-prefer-dark-theme', 'dark' in wishes)
    settings.set_property('gtk-enable-animations', 'reduce' not in wishes)


wishes_monitor = Gio.File.new_for_path(wishes_file).monitor_file(Gio.FileMonitorFlags.NONE)
wishes_monitor.connect('changed', read_wishes)


manager = WebKit2.WebsiteDataManager(
    base_data_directory=f'{args.profile}/data', base_cache_directory=f'{args.profile}/cache'
)
manager.get_cookie_manager().set_persistent_storage(
    f'{args.profile}/cookies.sqlite', WebKit2.CookiePersistentStorage.SQLITE
)
# As Safari does.
manager.set_itp_enabled(True)
manager.set_tls_errors_policy(WebKit2.TLSErrorsPolicy.IGNORE)
# `localhost` too, which no proxy is asked for otherwise.
manager.set_network_proxy_settings(
    WebKit2.NetworkProxyMode.CUSTOM, WebKit2.NetworkProxySettings.new(args.proxy, [])
)
if args.refuse_storage:
    manager.get_cookie_manager().set_accept_policy(WebKit2.CookieAcceptPolicy.NEVER)

context = WebKit2.WebContext(website_data_manager=manager)
context.set_automation_allowed(True)


def shown(view):
    settings = view.get_settings()
    settings.set_enable_html5_local_storage(not args.refuse_storage)
    settings.set_enable_html5_database(not args.refuse_storage)
    window = Gtk.Window(default_width=1280, default_height=720)
    window.add(view)
    view.connect('close', lambda _: window.destroy())
    view.connect('create', lambda opener, _: new_view(related_view=opener))
    window.show_all()
    return view


def new_view(**properties):
    return shown(WebKit2.WebView(is_controlled_by_automation=True, **properties))


def start(_, session):
    info = WebKit2.ApplicationInfo()
    info.set_name('host')
    session.set_application_info(info)
    for kind in ('window', 'tab'):
        session.connect(f'create-web-view::{kind}', lambda _: new_view(web_context=context))


context.connect('automation-started', start)
Gtk.main()
