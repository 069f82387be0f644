import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Log } from '#gateway/process/log.ts';
import { ResponseHistory } from '#gateway/responses/responseHistory.ts';
import { createOpenAiRoutes } from '#gateway/routes/openai/openAiRoutes.ts';
import { createResponseRoutes } from '#gateway/routes/openai/responses.ts';
import { createCompletionsRoutes } from '#gateway/routes/text/completions.ts';
import { createContentRoutes } from '#gateway/routes/text/content.ts';
import { createMessagesRoutes } from '#gateway/routes/text/messages.ts';
import { createModelRoutes } from '#gateway/routes/text/models.ts';
import { createTextCallRoutes } from '#gateway/routes/text/textCalls.ts';
import { Authenticator } from '#gateway/server/auth.ts';
import { GatewayServer } from '#gateway/server/server.ts';
import { Database } from '#gateway/store/database.ts';
import { ResponseStore } from '#gateway/store/responseStore.ts';
import type { Store } from '#gateway/store/store.ts';
import { CallRecorder } from '#gateway/textGeneration/callRecorder.ts';
import { ReplyCache } from '#gateway/textGeneration/replyCache.ts';
import { TextCalls } from '#gateway/textGeneration/textCalls.ts';
import { TextGeneration } from '#gateway/textGeneration/textGeneration.ts';
import type { RouteConfig } from '#models/routeConfig.ts';
import { RouteTable } from '#models/routeTable.ts';
import type { UpstreamTimeouts } from '#models/upstreams.ts';

/** The gateway's text generation on its real server, in this process. */
export interface TextGateway {
	readonly baseUrl: string;
	/** The key for callers. */
	readonly apiKey: string;
	readonly generation: TextGeneration;
	/** Returns the complete log. */
	getLog(): string;
	close(): Promise<void>;
}

/** Starts a text gateway on a free port. `keys`: upstream keys by name. `keep`: the store for calls and cached replies, if any. */
export async function startTextGateway(
	routes: readonly RouteConfig[] = [],
	keys: Readonly<Record<string, string>> = {},
	timeouts: Partial<UpstreamTimeouts> = {},
	keep?: { readonly store: Store; readonly bodies?: boolean },
): Promise<TextGateway> {
	let text = '';
	const log = new Log('json', line => {
		text += line;
	});
	const apiKey = 'the-key-of-this-gateway';
	const server = new GatewayServer(new Authenticator(apiKey), log);
	const calls = new TextCalls(
		keep && {
			recorder: new CallRecorder(keep.store.textCalls, { days: 30, bodies: keep.bodies ?? false }, log),
			cache: new ReplyCache(keep.store.replies, log),
		},
	);
	const generation = new TextGeneration(new RouteTable(routes, new Map(Object.entries(keys))), {
		timeouts,
		allowPrivateNetwork: true,
		calls,
	});
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'text-gateway-'));
	const db = new Database(path.join(folder, 'gateway.db'), log);
	const responses = new ResponseHistory(new ResponseStore(db), log);
	server.add([
		...createMessagesRoutes(generation),
		...createCompletionsRoutes(generation),
		...createContentRoutes(generation),
		...createOpenAiRoutes(generation),
		...createResponseRoutes({ generation, history: responses }),
		...createModelRoutes(generation),
		...(keep ? createTextCallRoutes(calls, keep.store.textCalls) : []),
	]);
	const { port } = await server.listen('127.0.0.1', 0);
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		apiKey,
		generation,
		getLog: () => {
			log.flushLines();
			return text;
		},
		close: async () => {
			await server.close(0);
			await generation.close();
			await calls.recorder?.stop();
			await db.close();
			fs.rmSync(folder, { recursive: true });
		},
	};
}
