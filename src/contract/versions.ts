/**
 * Version that messages and completions requests (C and D) send in `provider-version` (contract, "Rules for all") or `anthropic-version`.
 */
export const providerVersion = '2023-06-01';
