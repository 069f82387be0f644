/** Error body of agent endpoints (A and B), in Dify's format (wire facts 1.6). */
export interface AgentErrorBody {
	code: string;
	message: string;
	status: number;
	params?: string;
}

/** Error body of messages and completions (C and D; wire facts 2.3). */
export interface MessagesErrorBody {
	type: 'error';
	error: { type: string; message: string };
	request_id?: string;
}

/** Error body of content requests (E; wire facts 4.3). */
export interface ContentErrorBody {
	error: { code: number; message: string; status: string; details?: unknown[] };
}

/** Error body of OpenAI endpoints, always with all four keys. `param` is the invalid field. */
export interface OpenAiErrorBody {
	error: { message: string; type: string; param: string | null; code: string | null };
}
