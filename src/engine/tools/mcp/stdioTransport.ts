import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { deserializeMessage, type JSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import spawn from 'cross-spawn';
import { getGroupOptions, killProcessGroup } from '#base/processGroup.ts';
import type { McpProgram } from './mcpSettings.ts';

/** Maximum size of a message in bytes. */
const longestMessage = 8 * 1024 * 1024;
/** Number of lines that aren't messages after which a program is stopped. */
const mostRubbish = 200;
/** Number of messages to handle before yielding, and the milliseconds to wait before reading more. */
const messagesInATurn = 200;
const pauseMs = 50;
/** Milliseconds to wait for a program to exit by itself, and again after asking it to terminate. */
const patienceMs = 700;
/** Maximum length in characters of a standard error line, and maximum number of lines forwarded per minute. */
const longestLine = 500;
const linesAMinute = 60;

/**
 * A program that speaks MCP over standard input and output. The SDK's own transport handles all input in one go and stops only the program
 * itself. This transport yields to other work however much the program writes, stops a program that writes no messages, and kills all
 * processes that the program has started.
 */
export class StdioTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: <T extends JSONRPCMessage>(message: T) => void;
	/** Why the program ended, if it wasn't closed from here. */
	reason = '';
	/** True if the program ended by itself. */
	exited = false;
	readonly #settings: McpProgram;
	readonly #said: (line: string) => void;
	#child: ChildProcess | undefined;
	#lines: Buffer[] = [];
	#length = 0;
	#rubbish = 0;
	#ended = false;
	/** Kills the program when the gateway exits without time to wait. */
	readonly #killOnExit = () => this.#child && killProcessGroup(this.#child, 'SIGKILL');

	/** @param said called with each line of standard error */
	constructor(settings: McpProgram, said: (line: string) => void) {
		this.#settings = settings;
		this.#said = said;
	}

	/** Starts the program. Rejects if it can't be started. */
	async start(): Promise<void> {
		const { command, args, env, cwd } = this.#settings;
		const child = spawn(command, [...args], {
			env: { ...getDefaultEnvironment(), ...env },
			stdio: 'pipe',
			windowsHide: true,
			...getGroupOptions(),
			...(cwd !== undefined && { cwd }),
		});
		this.#child = child;
		process.once('exit', this.#killOnExit);
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		child.on('spawn', resolve);
		child.on('error', error => {
			reject(error);
			this.#reportClosed(`couldn't be started: ${error.message}`);
		});
		// listen to 'exit', not 'close', because the program's children may keep its pipes open
		child.on('exit', (code, signal) => {
			this.exited = !this.#ended;
			this.#reportClosed(`ended with ${signal ?? `code ${code}`}`);
		});
		child.stdin?.on('error', () => {});
		child.stdout?.on('error', () => {});
		child.stderr?.on('error', () => {});
		child.stdout?.on('readable', () => this.#readMessages());
		this.#forwardErrorOutput(child);
		await promise;
	}

	async send(message: JSONRPCMessage): Promise<void> {
		if (this.#ended || !this.#child?.stdin?.writable) {
			throw new Error(`the program ${this.reason || 'has ended'}`);
		}
		this.#child.stdin.write(serializeMessage(message));
	}

	async close(): Promise<void> {
		const child = this.#child;
		this.#reportClosed('');
		if (!child || child.pid === undefined) {
			return;
		}
		child.stdin?.end();
		const exited = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : waitForExit(child);
		for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
			if (await hasExitedInTime(exited)) {
				break;
			}
			killProcessGroup(child, signal);
		}
		// this also kills children that outlive the program
		killProcessGroup(child, 'SIGKILL');
		process.off('exit', this.#killOnExit);
		child.stdout?.destroy();
		child.stderr?.destroy();
	}

	/** Reads some messages, then yields. Unread input stays in the pipe. */
	#readMessages(): void {
		const stdout = this.#child?.stdout;
		let messages = 0;
		for (let chunk: Buffer | null = stdout?.read() ?? null; chunk !== null && !this.#ended; chunk = stdout?.read() ?? null) {
			messages += this.#addChunk(chunk);
			if (messages >= messagesInATurn) {
				setTimeout(() => this.#readMessages(), pauseMs).unref();
				return;
			}
		}
	}

	/** Adds received data and collects its complete lines. @returns the number of lines in the chunk */
	#addChunk(chunk: Buffer): number {
		let from = 0;
		let lines = 0;
		for (let to = chunk.indexOf(10); to >= 0 && !this.#ended; to = chunk.indexOf(10, from)) {
			const line = Buffer.concat([...this.#lines, chunk.subarray(from, to)]).toString('utf8');
			this.#lines = [];
			this.#length = 0;
			from = to + 1;
			lines++;
			this.#onLine(line.trim());
		}
		const rest = chunk.subarray(from);
		if (rest.length > 0) {
			this.#lines.push(rest);
			this.#length += rest.length;
		}
		if (this.#length > longestMessage) {
			this.#killProgram(`sent a message larger than ${longestMessage / 1024 / 1024} MB`);
		}
		return lines;
	}

	#onLine(line: string): void {
		if (line === '') {
			return;
		}
		const message = line.startsWith('{') ? parseMessage(line) : undefined;
		if (message) {
			this.#rubbish = 0;
			this.onmessage?.(message);
		} else if (++this.#rubbish > mostRubbish) {
			this.#killProgram('wrote something other than an MCP message to its standard output');
		}
	}

	#killProgram(reason: string): void {
		const child = this.#child;
		this.#reportClosed(reason);
		if (child) {
			killProcessGroup(child, 'SIGKILL');
		}
	}

	#reportClosed(reason: string): void {
		if (this.#ended) {
			return;
		}
		this.#ended = true;
		this.reason = reason;
		this.#lines = [];
		this.onclose?.();
	}

	#forwardErrorOutput(child: ChildProcess): void {
		let rest = '';
		let left = linesAMinute;
		const refill = setInterval(() => {
			left = linesAMinute;
		}, 60_000).unref();
		child.stderr?.on('close', () => clearInterval(refill));
		child.stderr?.setEncoding('utf8');
		child.stderr?.on('data', (text: string) => {
			const lines = (rest + text).split(/\r?\n/);
			rest = (lines.pop() ?? '').slice(0, longestLine);
			for (const line of lines) {
				if (line.trim() !== '' && left-- > 0) {
					this.#said(line.slice(0, longestLine));
				}
			}
		});
	}
}

function parseMessage(line: string): JSONRPCMessage | undefined {
	try {
		return deserializeMessage(line);
	} catch {
		return undefined;
	}
}

function waitForExit(child: ChildProcess): Promise<void> {
	return new Promise(resolve => child.once('exit', () => resolve()));
}

async function hasExitedInTime(exited: Promise<void>): Promise<boolean> {
	const patience = new AbortController();
	const late = delay(patienceMs, false, { signal: patience.signal }).catch(() => false);
	const ended = await Promise.race([exited.then(() => true), late]);
	patience.abort();
	return ended;
}
