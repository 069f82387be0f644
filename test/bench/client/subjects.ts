import { createRequire } from 'node:module';
import path from 'node:path';
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { createParser } from 'eventsource-parser';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { ServiceClient } from '../../../src/client/client.ts';
import { type Started, startNode } from '../harness/processes.ts';

/** The built client, as in the package. */
export const chunkFile = path.resolve(import.meta.dirname, '../../../dist/client.cjs');

const require = createRequire(import.meta.url);
let server: Promise<Started<{ ports: Record<Part, number> }>> | undefined;
const closers: (() => unknown)[] = [];

/** A part of the server (server.ts). */
export type Part = 'text' | 'first' | 'plain' | 'workflow' | 'endless' | 'unending';

/** Returns the base URL of a part of the server; starts it on first use. */
export async function getBaseUrl(part: Part): Promise<string> {
	server ??= startNode([path.join(import.meta.dirname, 'server.ts')]);
	return `http://127.0.0.1:${(await server).ready.ports[part]}`;
}

/** Loads the client as it is shipped: the minified chunk. */
export function createShippedClient(baseUrl: string): ServiceClient {
	const chunk = require(chunkFile) as typeof import('../../../src/client/client.ts');
	const client = new chunk.ServiceClient({
		baseUrl,
		kind: 'gateway',
		keys: { agent: 'k-agent', messages: 'k-messages', content: 'k-content' },
	});
	closers.push(() => client.close());
	return client;
}

export function createAnthropicSdk(baseURL: string): Anthropic {
	return new Anthropic({ baseURL, apiKey: 'k-messages', maxRetries: 0 });
}

export function createGoogleSdk(baseUrl: string): GoogleGenAI {
	return new GoogleGenAI({ apiKey: 'k-content', httpOptions: { baseUrl, apiVersion: 'v1beta' } });
}

export function createAiSdkModel(baseURL: string) {
	return createAnthropic({ baseURL: `${baseURL}/v1`, apiKey: 'k-messages' })('m');
}

/** The minimum that all clients need: undici's request. */
export class Bare {
	readonly #agent = new Agent();

	constructor() {
		closers.push(() => this.#agent.destroy());
	}

	async readText(url: string, body: object): Promise<string> {
		const { body: reply } = await this.#sendRequest(url, body);
		return reply.text();
	}

	/** Parses events with the chain that the budgets name: `TextDecoder`, eventsource-parser, `JSON.parse`. */
	async readEvents(url: string, body: object, onEvent: (event: unknown) => void): Promise<void> {
		const { body: reply } = await this.#sendRequest(url, body);
		const decoder = new TextDecoder();
		const parser = createParser({ onEvent: event => onEvent(JSON.parse(event.data)) });
		for await (const chunk of reply) {
			parser.feed(decoder.decode(chunk as Buffer, { stream: true }));
		}
	}

	/** Counts lines, which is the floor of event parsing. */
	async countLines(url: string, body: object): Promise<number> {
		const { body: reply } = await this.#sendRequest(url, body);
		const decoder = new TextDecoder();
		let lines = 0;
		let rest = '';
		for await (const chunk of reply) {
			const parts = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
			rest = parts.pop()!;
			lines += parts.length;
		}
		return lines;
	}

	async readFirstBytes(url: string, body: object, onFirst: () => void): Promise<void> {
		const { body: reply } = await this.#sendRequest(url, body);
		let seen = false;
		for await (const _chunk of reply) {
			if (!seen) {
				seen = true;
				onFirst();
			}
		}
	}

	#sendRequest(url: string, body: object) {
		const { origin, pathname, search } = new URL(url);
		return request.call(this.#agent, {
			origin,
			path: pathname + search,
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-api-key': 'k-messages' },
			body: JSON.stringify(body),
		});
	}
}

/** Stops the server and closes all connections. */
export async function closeSubjects(): Promise<void> {
	await Promise.all(closers.splice(0).map(close => close()));
	await (await server)?.stop();
	server = undefined;
}

/** The same question as the body of a Generate Content request (E1). */
export const contentBody = { contents: [{ role: 'user', parts: [{ text: 'How did the run end?' }] }] };
