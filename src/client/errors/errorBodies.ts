import { pageTitle } from '#network/pageTitle.ts';
import type { Redactor } from '#network/redaction.ts';

/** What an error body says, whichever service wrote it. */
export interface ErrorBody {
	/** The service's codes, the most telling one first. */
	readonly codes: readonly string[];
	readonly message?: string | undefined;
	readonly requestId?: string | undefined;
	readonly retryAfterMs?: number | undefined;
	/** Field that is wrong (Dify's `params`). */
	readonly field?: string | undefined;
}

const longestText = 300;
/** Characters that are searched for secrets before a text is cut to {@link longestText}. */
const longestSearched = 10_000;

/**
 * Reads the body of a failed request: Dify's `{code, message, status}`, Anthropic's `{error: {type, message}}`, Gemini's `{error: {code,
 * message, status, details}}` also within an array, OpenAI's `{error: {message, type, param, code}}`, `{error: "…"}` (Ollama), `{detail}` (FastAPI: vLLM, SGLang), HTML of proxies, plain
 * text, and nothing at all.
 */
export function readErrorBody(text: string): ErrorBody {
	const body = text.trim();
	if (body === '') {
		return { codes: [] };
	}
	if (body.startsWith('<')) {
		const title = pageTitle(body);
		return { codes: [], message: title ? `an HTML page, "${shorten(title)}"` : 'an HTML page' };
	}
	try {
		return readErrorPayload(JSON.parse(body)) ?? { codes: [], message: shorten(body) };
	} catch {
		return { codes: [], message: shorten(body) };
	}
}

/** Reads an error that came as JSON, within a stream perhaps; `undefined` if the value does not look like one. */
export function readErrorPayload(value: unknown): ErrorBody | undefined {
	const payload = Array.isArray(value) ? value[0] : value;
	if (!isRecord(payload)) {
		return undefined;
	}
	const { error, detail } = payload;
	if (typeof error === 'string') {
		return { codes: codesOf(payload['code']), message: shorten(error) };
	}
	if (isRecord(error)) {
		const details = Array.isArray(error['details']) ? error['details'].filter(isRecord) : [];
		return {
			codes: codesOf(
				...details.map(entry => entry['reason']),
				error['status'],
				typeof error['code'] === 'string' ? error['code'] : undefined,
				error['type'],
				typeof error['code'] === 'number' ? error['code'] : undefined,
			),
			message: messageOf(error['message']),
			requestId: typeof payload['request_id'] === 'string' ? payload['request_id'] : undefined,
			retryAfterMs: details.map(entry => durationMs(entry['retryDelay'])).find(ms => ms !== undefined),
		};
	}
	if (detail !== undefined) {
		return { codes: codesOf(payload['code']), message: messageOf(detail) };
	}
	if (typeof payload['message'] !== 'string') {
		return undefined;
	}
	const field = payload['params'];
	return {
		codes: codesOf(payload['code']),
		message: shorten(payload['message']),
		field: typeof field === 'string' ? field : undefined,
	};
}

/** A text from outside, short enough for a message. */
function shorten(text: string): string {
	return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

/** A text from outside without secrets, short enough for a message. They are masked before it is cut, so that no part of one is left. */
export function excerptOf(text: string, redactor: Pick<Redactor, 'text'>): string {
	return shorten(redactor.text(text.slice(0, longestSearched)));
}

/** Whether a value is an object with fields, as JSON means it. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function codesOf(...values: unknown[]): string[] {
	return values.filter(value => (typeof value === 'string' && value !== '') || typeof value === 'number').map(String);
}

function messageOf(value: unknown): string | undefined {
	return value === undefined || value === null ? undefined : shorten(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Gemini's `retryDelay`: `34.07s`. */
function durationMs(value: unknown): number | undefined {
	const seconds = typeof value === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(value)?.[1] : undefined;
	return seconds === undefined ? undefined : Number(seconds) * 1000;
}
