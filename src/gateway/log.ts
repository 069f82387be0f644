import type { ServerResponse } from 'node:http';

/** How lines are written: `json` for programs, `text` for people. */
export type LogFormat = 'json' | 'text';

/**
 * The gateway's log, on stderr. Lines are collected and written together: a write to a pipe blocks. All that is written passes the redaction: keys
 * that were registered, and whatever looks like a credential.
 */
export class Log {
	readonly #format: LogFormat;
	readonly #write: (text: string) => void;
	readonly #secrets = new Set<string>();
	#pending = '';
	#timer: NodeJS.Timeout | undefined;

	constructor(format: LogFormat, write: (text: string) => void) {
		this.#format = format;
		this.#write = write;
	}

	/** Keeps this key out of every line. Keys too short to be told from words are left to the patterns. */
	addSecret(secret: string): void {
		if (secret.length >= 8) {
			this.#secrets.add(secret);
		}
	}

	info(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
		this.#line('info', message, fields);
	}

	warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
		this.#line('warn', message, fields);
	}

	error(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
		this.#line('error', message, fields);
	}

	/** One line for a request that has ended; `ms` is how long it took. A response that was cut says so. */
	request(method: string, url: string, response: ServerResponse, ms: number): void {
		this.#line('info', 'request', {
			method,
			url,
			status: response.statusCode,
			ms: Math.round(ms * 10) / 10,
			...(!response.writableFinished && { aborted: true }),
		});
	}

	/** Writes what is collected at once. */
	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		if (this.#pending !== '') {
			const text = this.#pending;
			this.#pending = '';
			this.#write(this.#redact(text));
		}
	}

	#line(level: string, message: string, fields: Readonly<Record<string, unknown>>): void {
		this.#pending += `${this.#render(level, message, fields)}\n`;
		if (this.#pending.length > maxPending) {
			this.flush();
		} else {
			this.#timer ??= setTimeout(() => this.flush(), flushMs).unref();
		}
	}

	#render(level: string, message: string, fields: Readonly<Record<string, unknown>>): string {
		const time = new Date().toISOString();
		const isJson = this.#format === 'json';
		let line = isJson
			? `{"time":"${time}","level":"${level}","message":${JSON.stringify(message)}`
			: `${time} ${level.padEnd(5)} ${message}`;
		for (const name in fields) {
			const field = fields[name];
			const value = field instanceof Error ? (field.stack ?? field.message) : field;
			if (isJson) {
				line += `,${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`;
			} else {
				line += ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
			}
		}
		return isJson ? `${line}}` : line;
	}

	#redact(lines: string): string {
		let text = lines;
		for (const secret of this.#secrets) {
			if (text.includes(secret)) {
				text = text.replaceAll(secret, '[redacted]');
			}
		}
		return text.replace(credential, '$1[redacted]');
	}
}

const flushMs = 100;
const maxPending = 16 * 1024;

/** `key=` of a query, bearer tokens, and key headers as an error text may quote them. */
const credential =
	/((?:[?&]key=)|(?:\bbearer\s+)|(?:\b(?:x-api-key|x-goog-api-key|api[-_]?key|authorization)["']?\s*[:=]\s*["']?(?:bearer\s+)?))[^\s"'&,}]+/gi;
