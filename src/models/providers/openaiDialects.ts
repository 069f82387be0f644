/** Essential fields. Not all services with OpenAI's protocol support the others, and a reply can do without them. */
const neededFields = new Set([
	...['model', 'messages', 'stream', 'tools', 'tool_choice', 'response_format', 'stop'],
	...['max_tokens', 'max_completion_tokens', 'temperature', 'top_p'],
]);

/**
 * Wraps `fetch` for services with OpenAI's protocol, which support different fields. If a service refuses a request and names a
 * non-essential field, the request is repeated without that field. For newer OpenAI models, `max_tokens` is renamed instead.
 * @param lost called with a description of each removed field
 */
export function createTolerantFetch(fetch: typeof globalThis.fetch, lost: (sentence: string) => void): typeof globalThis.fetch {
	return async (input, init = {}) => {
		let request = init;
		for (;;) {
			const response = await fetch(input, request);
			if ((response.status !== 400 && response.status !== 422) || typeof request.body !== 'string') {
				return response;
			}
			const refusal = await response.text();
			const body = JSON.parse(request.body) as Record<string, unknown>;
			const changed = removeRefusedField(body, refusal, lost);
			if (!changed) {
				return new Response(refusal, { status: response.status, headers: response.headers });
			}
			request = { ...request, body: JSON.stringify(changed) };
		}
	};
}

function removeRefusedField(
	{ ...body }: Record<string, unknown>,
	refusal: string,
	lost: (sentence: string) => void,
): Record<string, unknown> | undefined {
	if (body['max_tokens'] !== undefined && refusal.includes('max_completion_tokens')) {
		const { max_tokens, ...others } = body;
		return { ...others, max_completion_tokens: max_tokens };
	}
	const refused = Object.keys(body).find(name => !neededFields.has(name) && isFieldNamed(refusal, name));
	if (refused === undefined) {
		return undefined;
	}
	delete body[refused];
	lost(`${refused}: removed because the model's service refused it`);
	return body;
}

/** True if a refusal names a field. A name that is also a common word must be quoted, or follow OpenAI's phrase for unknown arguments. */
function isFieldNamed(refusal: string, name: string): boolean {
	const quoted = ['"', "'", '`', '\\"'].map(quote => quote + name + quote);
	return name.includes('_') ? refusal.includes(name) : [...quoted, `argument supplied: ${name}`].some(form => refusal.includes(form));
}
