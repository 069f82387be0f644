/** The user's decision on a tool call: allow it, allow all calls of this tool in this chat, or deny it. */
export const toolDecisions = ['once', 'always', 'deny'] as const;
export type ToolDecision = (typeof toolDecisions)[number];
