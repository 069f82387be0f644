/** The body of the Messages request (C1) that every subject sends. */
export const messageBody = { model: 'm', max_tokens: 64, messages: [{ role: 'user' as const, content: 'How did the run end?' }] };
