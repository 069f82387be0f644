import type { RouteConfig } from '../../src/gateway/config.ts';
import { Log } from '../../src/gateway/log.ts';
import { RouteTable } from '../../src/gateway/models/routeTable.ts';
import { TextGeneration } from '../../src/gateway/models/textGeneration.ts';
import type { UpstreamTimeouts } from '../../src/gateway/models/upstreams.ts';
import { completionsRoutes } from '../../src/gateway/routes/completions.ts';
import { contentRoutes } from '../../src/gateway/routes/content.ts';
import { messagesRoutes } from '../../src/gateway/routes/messages.ts';
import { modelRoutes } from '../../src/gateway/routes/models.ts';
import { openAiRoutes } from '../../src/gateway/routes/openai/openAiRoutes.ts';
import { Authenticator } from '../../src/gateway/server/auth.ts';
import { GatewayServer } from '../../src/gateway/server/server.ts';

/** The gateway's text generation on its real server, in this process. */
export interface TextGateway {
	readonly baseUrl: string;
	/** The key that its callers send. */
	readonly apiKey: string;
	readonly generation: TextGeneration;
	/** All that it has logged. */
	log(): string;
	close(): Promise<void>;
}

/** Starts one on a free port. `keys`: upstream keys by name. */
export async function startTextGateway(
	routes: readonly RouteConfig[] = [],
	keys: Readonly<Record<string, string>> = {},
	timeouts: Partial<UpstreamTimeouts> = {},
): Promise<TextGateway> {
	let text = '';
	const log = new Log('json', line => {
		text += line;
	});
	const apiKey = 'the-key-of-this-gateway';
	const server = new GatewayServer(new Authenticator(apiKey), log);
	const generation = new TextGeneration(new RouteTable(routes, new Map(Object.entries(keys))), {
		timeouts,
		allowPrivateNetwork: true,
	});
	server.add([
		...messagesRoutes(generation),
		...completionsRoutes(generation),
		...contentRoutes(generation),
		...openAiRoutes(generation),
		...modelRoutes(generation),
	]);
	const { port } = await server.listen('127.0.0.1', 0);
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		apiKey,
		generation,
		log: () => {
			log.flush();
			return text;
		},
		close: async () => {
			await server.close(0);
			await generation.close();
		},
	};
}
