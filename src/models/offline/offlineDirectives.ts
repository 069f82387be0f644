/**
 * Instructions to the offline model in a prompt, for tests and demonstrations: `[offline: name name=value …]` in the system prompt or the
 * last user message. Some of them also work as model names: `offline-error-429`, `offline-error-overloaded`, `offline-slow`.
 */
export interface OfflineDirectives {
	/** `error=429`: refuse with this status (400 to 599; `overloaded` is 529). */
	readonly error?: number;
	/** `error-after=5`: end the reply with an overload error after this many tokens. */
	readonly errorAfter?: number;
	/** `cut-after=5`: end the reply silently after this many tokens, like a lost connection. */
	readonly cutAfter?: number;
	/** `tokens=500`: length of the reply. */
	readonly tokens?: number;
	/** `delay=20`: milliseconds before each token. */
	readonly delay?: number;
	/** `tool=NAME`: call this tool, if the request offers it. */
	readonly tool?: string;
	/** `safety`: block the prompt as unsafe, unless the caller's safety settings forbid that. */
	readonly safety: boolean;
	/** `think`: reason aloud before the reply. */
	readonly think: boolean;
}

/** Matches a directive. It can't contain another bracket, so that many unclosed brackets take only linear time. */
export const directive = /\[offline:([^[\]]*)\]/g;

/** Reads the directives in a model name and in strings. Ignores unknown directives, and quoted ones in code blocks. */
export function readOfflineDirectives(model: string, texts: readonly string[]): OfflineDirectives {
	const values = new Map<string, string>();
	for (const text of texts) {
		for (const [, list = ''] of removeCodeBlocks(text).matchAll(directive)) {
			for (const [, name = '', value = ''] of list.matchAll(/([\w-]+)(?:=([^\s,]+))?/g)) {
				values.set(name, value);
			}
		}
	}
	const error = /^offline-error-(\d{3}|overloaded)$/.exec(model)?.[1] ?? values.get('error');
	const tool = values.get('tool');
	return {
		...createOptionalField('error', error === 'overloaded' ? 529 : parseWholeNumber(error, 400, 599)),
		...createOptionalField('errorAfter', parseWholeNumber(values.get('error-after'), 0, 100_000)),
		...createOptionalField('cutAfter', parseWholeNumber(values.get('cut-after'), 0, 100_000)),
		...createOptionalField('tokens', parseWholeNumber(values.get('tokens'), 1, 100_000)),
		...createOptionalField('delay', parseWholeNumber(values.get('delay'), 1, 60_000) ?? (model === 'offline-slow' ? slowDelay : undefined)),
		...createOptionalField('tool', tool),
		safety: values.has('safety'),
		think: values.has('think'),
	};
}

/** Removes fenced code blocks, because attached files and runs are quoted in them. */
function removeCodeBlocks(text: string): string {
	let isCode = false;
	return text
		.split('\n')
		.filter(line => {
			const isFence = line.startsWith('```');
			isCode = isFence !== isCode;
			return !isFence && !isCode;
		})
		.join('\n');
}

/** Delay per token of `offline-slow`, in milliseconds. */
const slowDelay = 50;

function createOptionalField<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
	return (value === undefined ? {} : { [name]: value }) as { [P in K]?: V };
}

function parseWholeNumber(text: string | undefined, min: number, max: number): number | undefined {
	const value = text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
	return value !== undefined && value >= min && value <= max ? value : undefined;
}
