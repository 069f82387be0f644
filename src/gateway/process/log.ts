import type { ServerResponse } from 'node:http';
import { listSecretForms } from '#base/text/secretForms.ts';

/** Format of log lines: `json` for programs, `text` for people. */
export type LogFormat = 'json' | 'text';

/**
 * The gateway's log, on stderr. Lines are collected and written together, because writing to a pipe blocks. Everything written is redacted:
 * registered keys, and anything that looks like a credential.
 */
export class Log {
	readonly #format: LogFormat;
	readonly #write: (text: string) => void;
	/** Keys to redact, in every form in which a line may contain them. Longest first, because a key can start with another one. */
	#secrets: readonly string[] = [];
	readonly #followers = new Set<(lines: string) => void>();
	/** The last lines written, for clients that start following later. */
	readonly #recent: string[] = [];
	#recentSize = 0;
	readonly #clock = new Clock();
	#pending = '';
	#timer: NodeJS.Timeout | undefined;

	constructor(format: LogFormat, write: (text: string) => void) {
		this.#format = format;
		this.#write = write;
	}

	/**
	 * Removes this key from every line. Short keys are only removed by the patterns for credentials, because they could match ordinary words.
	 */
	addSecret(secret: string): void {
		if (secret.length >= 8 && !this.#secrets.includes(secret)) {
			const forms = [...listSecretForms(secret), escapeControls(secret)];
			// a field that quotes JSON is escaped once more
			const all = new Set([...this.#secrets, ...forms, ...forms.map(form => JSON.stringify(form).slice(1, -1))]);
			this.#secrets = [...all].sort((a, b) => b.length - a.length);
		}
	}

	info(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
		this.#appendLine('info', message, fields);
	}

	warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
		this.#appendLine('warn', message, fields);
	}

	error(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
		this.#appendLine('error', message, fields);
	}

	/** Logs a finished request; `ms` is its duration. */
	logRequest(method: string, url: string, response: ServerResponse, ms: number): void {
		this.#appendLine('info', 'Request', {
			method,
			url: redactAddress(url),
			status: response.statusCode,
			ms: Math.round(ms * 10) / 10,
			...(!response.writableFinished && { aborted: true }),
		});
	}

	/** Writes the collected lines immediately. */
	flushLines(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		if (this.#pending !== '') {
			const text = this.#pending;
			this.#pending = '';
			const lines = this.#redactText(text);
			this.#write(lines);
			this.#rememberLines(lines);
			for (const follower of this.#followers) {
				follower(lines);
			}
		}
	}

	/**
	 * Calls `follower` with whole lines as they are written, until the returned function is called. With `recent`, first calls it with the
	 * last lines.
	 */
	followLines(follower: (lines: string) => void, recent: boolean): () => void {
		if (recent && this.#recent.length > 0) {
			follower(this.#recent.join(''));
		}
		this.#followers.add(follower);
		return () => this.#followers.delete(follower);
	}

	#rememberLines(lines: string): void {
		this.#recent.push(lines);
		this.#recentSize += lines.length;
		while (this.#recentSize > mostRecent && this.#recent.length > 1) {
			this.#recentSize -= this.#recent.shift()?.length ?? 0;
		}
	}

	#appendLine(level: string, message: string, fields: Readonly<Record<string, unknown>>): void {
		this.#pending += `${this.#formatLine(level, message, fields)}\n`;
		if (this.#pending.length > maxPending) {
			this.flushLines();
		} else {
			this.#timer ??= setTimeout(() => this.flushLines(), flushMs).unref();
		}
	}

	#formatLine(level: string, message: string, fields: Readonly<Record<string, unknown>>): string {
		const time = this.#clock.formatNow();
		const isJson = this.#format === 'json';
		let line = isJson
			? `{"time":"${time}","level":"${level}","message":${toJsonText(message)}`
			: `${time} ${level.padEnd(5)} ${escapeControls(message)}`;
		for (const name in fields) {
			const field = fields[name];
			const value = field instanceof Error ? (field.stack ?? field.message) : field;
			if (isJson) {
				line += `,"${name}":${toJsonText(value)}`;
			} else {
				line += ` ${name}=${typeof value === 'string' ? escapeControls(value) : JSON.stringify(value)}`;
			}
		}
		return isJson ? `${line}}` : line;
	}

	#redactText(lines: string): string {
		let text = lines;
		for (const secret of this.#secrets) {
			if (text.includes(secret)) {
				text = text.replaceAll(secret, '[redacted]');
			}
		}
		return text.replace(credential, '$1[redacted]');
	}
}

/**
 * Formats a value as JSON. Doesn't use JSON.stringify for numbers and plain texts, because that takes most of the time of logging requests.
 */
function toJsonText(value: unknown): string {
	const isPlain = typeof value === 'string' ? plain.test(value) : Number.isFinite(value);
	return isPlain ? (typeof value === 'string' ? `"${value}"` : String(value)) : (JSON.stringify(value) ?? 'null');
}

const plain = /^[\w/ .:-]*$/;

/** Escapes line breaks and control characters as in JSON, because values may come from callers and other services. */
function escapeControls(text: string): string {
	return text.replace(lineEndOrControl, character =>
		character === '\n' ? '\\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

const lineEndOrControl = /[\u0000-\u0008\n-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Formats the current time like `toISOString`, but only calls that once per second. */
class Clock {
	#second = 0;
	#start = '';

	formatNow(): string {
		const now = Date.now();
		const ms = now % 1000;
		if (now - ms !== this.#second) {
			this.#second = now - ms;
			this.#start = new Date(now).toISOString().slice(0, -4);
		}
		return `${this.#start}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
	}
}

/**
 * Redacts the values of query parameters that may contain a key. Names may be percent-encoded. Cuts long addresses first, because this runs
 * for every request.
 */
function redactAddress(address: string): string {
	const url = address.length > longestAddress ? `${address.slice(0, longestAddress)}…` : address;
	const mark = url.indexOf('?');
	if (mark < 0) {
		return url;
	}
	const parameters = url
		.slice(mark + 1)
		.split(/([&;])/)
		.map(parameter => {
			const end = parameter.indexOf('=');
			// a parameter that starts with "=" has no name, so check all of it
			const name = end > 0 ? parameter.slice(0, end) : parameter;
			return end >= 0 && secretName.test(decodeName(name)) ? `${parameter.slice(0, end)}=[redacted]` : parameter;
		});
	return `${url.slice(0, mark)}?${parameters.join('')}`;
}

/** Maximum length of a logged address in characters. */
const longestAddress = 2000;

const secretName = /key(?!word)|token|secret|passw|auth|credential|signature/i;

function decodeName(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

const flushMs = 100;
const maxPending = 16 * 1024;
/** Maximum number of characters kept for later followers: several hundred lines. */
const mostRecent = 64 * 1024;

/** Matches credentials: `key=` in a query, bearer tokens, and key headers as quoted by error messages. */
const credential =
	/((?:[?&]key=)|(?:\b(?:bearer|basic)\s+)|(?:\b(?:x-api-key|x-goog-api-key|api[-_]?key|authorization)["']?\s*[:=]\s*["']?(?:(?:bearer|basic)\s+)?))[^\s"'&,}]+/gi;
