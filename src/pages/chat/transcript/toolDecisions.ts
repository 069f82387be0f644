/** What a user says to a call: this one, every one of the tool in this chat, or none. */
export const toolDecisions = ['once', 'always', 'deny'] as const;
export type ToolDecision = (typeof toolDecisions)[number];
