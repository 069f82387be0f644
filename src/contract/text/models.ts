import * as z from 'zod';

/** A model listed by `GET /v1/models` (wire facts 2.1), with the fields of OpenAI's protocol if the service has them. */
export const createMessagesModelSchema = () =>
	z.looseObject({
		type: z.string(),
		id: z.string(),
		display_name: z.string(),
		created_at: z.string().exactOptional(),
		object: z.literal('model').exactOptional(),
		created: z.int().exactOptional(),
		owned_by: z.string().exactOptional(),
		max_input_tokens: z.int().exactOptional(),
		max_tokens: z.int().exactOptional(),
	});
export type MessagesModel = z.infer<ReturnType<typeof createMessagesModelSchema>>;

/** A page of models for messages and completions (C and D). The next page starts after `last_id`. */
export const createMessagesModelPageSchema = () =>
	z.object({
		data: z.array(createMessagesModelSchema()),
		has_more: z.boolean(),
		first_id: z.string().nullable(),
		last_id: z.string().nullable(),
	});
export type MessagesModelPage = z.infer<ReturnType<typeof createMessagesModelPageSchema>>;

/** A model listed by `GET /v1beta/models` (wire facts 4.3). `name` is `models/…`. */
export const createContentModelSchema = () =>
	z.looseObject({
		name: z.string(),
		displayName: z.string().exactOptional(),
		supportedGenerationMethods: z.array(z.string()).exactOptional(),
	});
export type ContentModel = z.infer<ReturnType<typeof createContentModelSchema>>;

/** A page of models for content requests (E). `nextPageToken` is absent on the last page. */
export const createContentModelPageSchema = () =>
	z.object({ models: z.array(createContentModelSchema()), nextPageToken: z.string().exactOptional() });
export type ContentModelPage = z.infer<ReturnType<typeof createContentModelPageSchema>>;

/** Response of `POST /v1/messages/count_tokens`. */
export const createMessagesTokenCountSchema = () => z.looseObject({ input_tokens: z.int() });
export type MessagesTokenCount = z.infer<ReturnType<typeof createMessagesTokenCountSchema>>;

/** Response of `POST /v1beta/models/{model}:countTokens`. */
export const createContentTokenCountSchema = () => z.looseObject({ totalTokens: z.int() });
export type ContentTokenCount = z.infer<ReturnType<typeof createContentTokenCountSchema>>;
