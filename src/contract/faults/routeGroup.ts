/**
 * Group of operations that share a credential form and an error body: `agent` (A, B and related ones), `messages` (C, D), `content` (E),
 * `openai` (OpenAI endpoints), `mcp` (JSON-RPC); `open` needs no key.
 */
export type RouteGroup = 'agent' | 'messages' | 'content' | 'openai' | 'mcp' | 'open';
