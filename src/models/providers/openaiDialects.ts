/** Fields that say what is asked for. Not every service with OpenAI's protocol takes all others, and a reply can do without them. */
const neededFields = new Set([
	...['model', 'messages', 'stream', 'tools', 'tool_choice', 'response_format', 'stop'],
	...['max_tokens', 'max_completion_tokens', 'temperature', 'top_p'],
]);

/**
 * `fetch` for services with OpenAI's protocol, of which each takes other fields: where one refuses a request and names such a field, the request is sent
 * again without it (or, for OpenAI's newer models, with `max_tokens` under its new name). `lost` hears of what was left out.
 */
export function tolerantFetch(fetch: typeof globalThis.fetch, lost: (sentence: string) => void): typeof globalThis.fetch {
	return async (input, init = {}) => {
		let request = init;
		for (;;) {
			const response = await fetch(input, request);
			if ((response.status !== 400 && response.status !== 422) || typeof request.body !== 'string') {
				return response;
			}
			const refusal = await response.text();
			const body = JSON.parse(request.body) as Record<string, unknown>;
			const changed = withoutRefused(body, refusal, lost);
			if (!changed) {
				return new Response(refusal, { status: response.status, headers: response.headers });
			}
			request = { ...request, body: JSON.stringify(changed) };
		}
	};
}

function withoutRefused(
	{ ...body }: Record<string, unknown>,
	refusal: string,
	lost: (sentence: string) => void,
): Record<string, unknown> | undefined {
	if (body['max_tokens'] !== undefined && refusal.includes('max_completion_tokens')) {
		const { max_tokens, ...others } = body;
		return { ...others, max_completion_tokens: max_tokens };
	}
	const refused = Object.keys(body).find(name => !neededFields.has(name) && namesField(refusal, name));
	if (refused === undefined) {
		return undefined;
	}
	delete body[refused];
	lost(`${refused}: left out, the service behind this model refused it`);
	return body;
}

/** Whether a refusal speaks of a field. A name that is a word of every day has to stand in quotes, or where OpenAI names what it does not know. */
function namesField(refusal: string, name: string): boolean {
	const quoted = ['"', "'", '`', '\\"'].map(quote => quote + name + quote);
	return name.includes('_') ? refusal.includes(name) : [...quoted, `argument supplied: ${name}`].some(form => refusal.includes(form));
}
