import * as z from 'zod';
import { selectorSchema, textSchema } from '../schemas.ts';

const bodyItemSchema = z.looseObject({
	key: textSchema,
	type: z
		.string()
		.nullish()
		.transform(type => type ?? 'text'),
	value: textSchema,
	file: selectorSchema.nullish(),
});
export type BodyItem = z.output<typeof bodyItemSchema>;

/** Schema of a body. Older files contain it as one string, which consists of `key:value` lines for forms. */
const bodySchema = z
	.looseObject({
		type: z.enum(['none', 'form-data', 'x-www-form-urlencoded', 'raw-text', 'json', 'binary']),
		data: z.union([z.array(bodyItemSchema), z.string()]).nullish(),
	})
	.nullish()
	.transform(body => ({ type: body?.type ?? ('none' as const), data: toBodyItems(body?.type, body?.data) }));
export type HttpBody = z.output<typeof bodySchema>;

function toBodyItems(type: string | undefined, data: readonly BodyItem[] | string | null | undefined): readonly BodyItem[] {
	if (typeof data !== 'string') {
		return data ?? [];
	}
	const pairs = type === 'form-data' || type === 'x-www-form-urlencoded' ? parseKeyValueLines(data) : [['', data] as const];
	return pairs.map(([key, value]) => ({ key, type: 'text', value, file: null }));
}

const seconds = z.coerce.number().positive().nullish().catch(undefined);

export const httpSchema = z.looseObject({
	method: z.string().transform(method => method.toUpperCase()),
	url: textSchema,
	headers: textSchema,
	params: textSchema,
	authorization: z
		.looseObject({
			type: z.enum(['no-auth', 'api-key']),
			config: z.looseObject({ type: z.enum(['basic', 'bearer', 'custom']).nullish(), api_key: textSchema, header: textSchema }).nullish(),
		})
		.nullish(),
	body: bodySchema,
	timeout: z
		.looseObject({ connect: seconds, read: seconds, write: seconds, max_connect_timeout: seconds, max_read_timeout: seconds })
		.nullish(),
	ssl_verify: z.boolean().nullish(),
});
export type HttpSettings = z.output<typeof httpSchema>;

/** Parses `key:value` lines of headers and parameters; a line without a colon is a key with an empty value. */
export function parseKeyValueLines(text: string): readonly (readonly [string, string])[] {
	return text
		.split('\n')
		.map(line => line.trim())
		.filter(line => line !== '')
		.map(line => {
			const colon = line.indexOf(':');
			return colon < 0 ? ([line, ''] as const) : ([line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const);
		});
}
