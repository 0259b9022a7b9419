/**
 * Names that `permutive.addon` accepts for cohort services, which are in every bundle; no addon has such a name.
 * `contextual` comes with an answer in place of the server's, `second_party` with the publisher's own data, and
 * `secure_signal` starts that service.
 */
export const serviceInputs: readonly string[] = ['contextual', 'second_party', 'secure_signal'];
