import { isRecord } from '#base/records/plainValues.ts';
import { findPageTitle } from '#network/pageTitle.ts';
import type { Redactor } from '#network/redaction.ts';

/** Content of an error body, from any service. */
export interface ErrorBody {
	/** The service's codes, most specific first. */
	readonly codes: readonly string[];
	/** Complete message, with any keys it echoes: pass it through {@link shortenServiceText} before showing it. */
	readonly message?: string | undefined;
	readonly requestId?: string | undefined;
	readonly retryAfterMs?: number | undefined;
	/** Invalid field (Dify's `params`). */
	readonly field?: string | undefined;
}

const longestText = 300;

/**
 * Reads the body of a failed request: Dify's `{code, message, status}`, Anthropic's `{error: {type, message}}`, Gemini's `{error: {code,
 * message, status, details}}` (possibly within an array), OpenAI's `{error: {message, type, param, code}}`, `{error: "…"}` (Ollama),
 * `{detail}` (FastAPI: vLLM, SGLang), HTML of proxies, plain text, or an empty body.
 */
export function readErrorBody(text: string): ErrorBody {
	const body = text.trim();
	if (body === '') {
		return { codes: [] };
	}
	if (body.startsWith('<')) {
		const title = findPageTitle(body);
		return { codes: [], message: title ? `an HTML page, "${title}"` : 'an HTML page' };
	}
	try {
		return readErrorPayload(JSON.parse(body)) ?? { codes: [], message: body };
	} catch {
		return { codes: [], message: body };
	}
}

/** Reads an error in JSON, possibly from a stream; returns `undefined` if the value doesn't look like one. */
export function readErrorPayload(value: unknown): ErrorBody | undefined {
	const payload = Array.isArray(value) ? value[0] : value;
	if (!isRecord(payload)) {
		return undefined;
	}
	const { error, detail } = payload;
	if (typeof error === 'string') {
		return { codes: filterCodes(payload['code']), message: error };
	}
	if (isRecord(error)) {
		const details = Array.isArray(error['details']) ? error['details'].filter(isRecord) : [];
		return {
			codes: filterCodes(
				...details.map(entry => entry['reason']),
				error['status'],
				typeof error['code'] === 'string' ? error['code'] : undefined,
				error['type'],
				typeof error['code'] === 'number' ? error['code'] : undefined,
			),
			message: toMessageText(error['message']),
			requestId: typeof payload['request_id'] === 'string' ? payload['request_id'] : undefined,
			retryAfterMs: details.map(entry => parseDurationMs(entry['retryDelay'])).find(ms => ms !== undefined),
		};
	}
	if (detail !== undefined) {
		return { codes: filterCodes(payload['code']), message: toMessageText(detail) };
	}
	if (typeof payload['message'] !== 'string') {
		return undefined;
	}
	const field = payload['params'];
	return {
		codes: filterCodes(payload['code']),
		message: payload['message'],
		field: typeof field === 'string' ? field : undefined,
	};
}

/** Shortens a service's text for a message. Masks keys first: part of a key wouldn't be recognized after the cut. */
export function shortenServiceText(text: string, redactor: Redactor): string {
	const masked = redactor.redactText(text);
	return masked.length > longestText ? `${masked.slice(0, longestText)}…` : masked;
}

function filterCodes(...values: unknown[]): string[] {
	return values.filter(value => (typeof value === 'string' && value !== '') || typeof value === 'number').map(String);
}

function toMessageText(value: unknown): string | undefined {
	return value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
}

/** Gemini's `retryDelay`: `34.07s`. */
function parseDurationMs(value: unknown): number | undefined {
	const seconds = typeof value === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(value)?.[1] : undefined;
	return seconds === undefined ? undefined : Number(seconds) * 1000;
}
