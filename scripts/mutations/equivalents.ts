/**
 * Mutations that change nothing that a caller or user could notice, with the reasons. The key is the file and the changed line, as the
 * table prints them.
 */
export const equivalents: Readonly<Record<string, string>> = {};
