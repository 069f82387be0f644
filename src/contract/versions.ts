/** Version sent by C and D requests in `provider-version` (contract, "Rules for all") or `anthropic-version`. */
export const providerVersion = '2023-06-01';
