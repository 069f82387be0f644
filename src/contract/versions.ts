/** Version that C and D requests carry in `provider-version` (contract, "Versioning") or `anthropic-version`. */
export const providerVersion = '2023-06-01';
