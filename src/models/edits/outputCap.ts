import { isRecord } from '#base/records/plainValues.ts';
import type { ModelRoute } from '../modelRoute.ts';
import { findTopLevelFields, readFieldValue, replaceSpans } from './topLevelFields.ts';

/** A body whose token limit respects the route's. */
interface CappedBody {
	readonly body: Buffer;
	/** Warnings about lowered limits; empty if none was lowered. */
	readonly warnings: readonly string[];
}

/**
 * Lowers the token limit of a forwarded request to its route's limit, or adds that limit if the request has none. Bodies of operations
 * other than generation stay as they are.
 * @param path the upstream's path
 */
export function capOutputTokens(body: Buffer, { maxOutputTokens: cap, provider, origin }: ModelRoute, path: string): CappedBody {
	const names = Object.entries(fieldNames).find(([ending]) => getRequestPath(path).endsWith(ending))?.[1];
	if (cap === undefined || !names) {
		return { body, warnings: [] };
	}
	if (provider === 'google') {
		return capContent(body, cap);
	}
	const fields = findTopLevelFields(body);
	const given = names.flatMap(name => {
		const span = fields?.get(name);
		const value = span && readFieldValue(body, span);
		return span && typeof value === 'number' ? [{ name, span, value }] : [];
	});
	const over = given.filter(({ value }) => value > cap);
	const end = fields && given.length === 0 ? body.lastIndexOf('}') : -1;
	if (end >= 0) {
		// newer OpenAI models only accept the new name, but other services often only accept the old one
		const name = names.includes('max_tokens') && origin === 'https://api.openai.com' ? 'max_completion_tokens' : names[0];
		return { body: replaceSpans(body, [{ start: end, end, text: `${fields?.size ? ',' : ''}"${name}":${cap}` }]), warnings: [] };
	}
	return {
		body:
			over.length === 0
				? body
				: replaceSpans(
						body,
						over.map(({ span }) => ({ start: span.valueStart, end: span.valueEnd, text: String(cap) })),
					),
		warnings: over.map(({ name, value }) => formatLowered(name, value, cap)),
	};
}

/** Names of token limit fields, by the end of an operation's path. */
const fieldNames: Readonly<Record<string, readonly string[]>> = {
	'/messages': ['max_tokens'],
	'/chat/completions': ['max_tokens', 'max_completion_tokens'],
	'/completions': ['max_tokens'],
	'/responses': ['max_output_tokens'],
	':generateContent': ['maxOutputTokens'],
	':streamGenerateContent': ['maxOutputTokens'],
};

/**
 * Caps the limit of a Gemini request, which is nested in another field with one of two names (wire facts 4.1). Leaves invalid JSON for the
 * service to refuse.
 */
function capContent(body: Buffer, cap: number): CappedBody {
	let request: Record<string, unknown>;
	try {
		request = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
	} catch {
		return { body, warnings: [] };
	}
	if (!isRecord(request)) {
		return { body, warnings: [] };
	}
	const outer = 'generation_config' in request ? 'generation_config' : 'generationConfig';
	const config = { ...(request[outer] as Record<string, unknown> | undefined) };
	const inner = 'max_output_tokens' in config ? 'max_output_tokens' : 'maxOutputTokens';
	const given = config[inner];
	if (typeof given === 'number' && given <= cap) {
		return { body, warnings: [] };
	}
	return {
		body: Buffer.from(JSON.stringify({ ...request, [outer]: { ...config, [inner]: cap } })),
		warnings: typeof given === 'number' ? [formatLowered(inner, given, cap)] : [],
	};
}

function formatLowered(name: string, from: number, to: number): string {
	return `${name}: lowered from ${from} to ${to}, the limit of the route`;
}

function getRequestPath(path: string): string {
	const mark = path.indexOf('?');
	return mark < 0 ? path : path.slice(0, mark);
}
