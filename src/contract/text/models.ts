/** Model as `GET /v1/models` lists it (wire facts 2.1). */
export interface MessagesModel {
	type: string;
	id: string;
	display_name: string;
	created_at?: string;
	[field: string]: unknown;
}

/** Page of models for C and D; the next page starts after `last_id`. */
export interface MessagesModelPage {
	data: MessagesModel[];
	has_more: boolean;
	first_id: string | null;
	last_id: string | null;
}

/** Model as `GET /v1beta/models` lists it (wire facts 4.3); `name` is `models/…`. */
export interface ContentModel {
	name: string;
	displayName?: string;
	description?: string;
	inputTokenLimit?: number;
	outputTokenLimit?: number;
	supportedGenerationMethods?: string[];
	[field: string]: unknown;
}

/** Page of models for E; `nextPageToken` is absent on the last one. */
export interface ContentModelPage {
	models: ContentModel[];
	nextPageToken?: string;
}

/** Answer of `POST /v1/messages/count_tokens`. */
export interface MessagesTokenCount {
	input_tokens: number;
	[field: string]: unknown;
}

/** Answer of `POST /v1beta/models/{model}:countTokens`. */
export interface ContentTokenCount {
	totalTokens: number;
	[field: string]: unknown;
}
