import { dirname, resolve } from 'node:path';
import { hashConfiguration, readTextIfFile } from '#base/files/contentHash.ts';
import { selectByWildcards } from '#base/text/wildcard.ts';
import type { ReadyLine } from '#contract/localGateway.ts';
import { RouteTable } from '#models/routeTable.ts';
import { listProxyPasswords } from '#network/proxies.ts';
import { AgentModels } from './agentModels/agentModels.ts';
import { AgentRegistry } from './agents/agentRegistry.ts';
import { AgentSecrets } from './agents/agentSecrets.ts';
import { Attachments } from './attachments.ts';
import { ChatTurn } from './chat/chatTurn.ts';
import type { DebugSessions } from './debug/debugSessions.ts';
import { createDifyAgent, DifyAgents } from './dify/difyAgents.ts';
import type { RunningKnowledge } from './knowledge/createKnowledge.ts';
import type { McpEndpoint } from './mcp/mcpEndpoint.ts';
import { openStore } from './openStore.ts';
import { Log } from './process/log.ts';
import { OpenRecordings } from './recordings/openRecordings.ts';
import { ResponseHistory } from './responses/responseHistory.ts';
import { createAgentRoutes } from './routes/agents.ts';
import { createChatRoutes } from './routes/chat.ts';
import { createCompletionMessageRoutes } from './routes/completionMessages.ts';
import { createConversationRoutes } from './routes/conversations.ts';
import { createDebugRoutes } from './routes/debugging.ts';
import { createDescriptionRoutes } from './routes/description.ts';
import { createDifyInfoRoutes } from './routes/difyInfo.ts';
import { createFormRoutes } from './routes/forms.ts';
import { createHealthRoutes } from './routes/health.ts';
import { createKnowledgeRoutes } from './routes/knowledge.ts';
import { createMcpRoutes } from './routes/mcp.ts';
import { createOpenAiRoutes } from './routes/openai/openAiRoutes.ts';
import { createResponseRoutes } from './routes/openai/responses.ts';
import { createRecordingRoutes } from './routes/recordings.ts';
import { createCompletionsRoutes } from './routes/text/completions.ts';
import { createContentRoutes } from './routes/text/content.ts';
import { createMessagesRoutes } from './routes/text/messages.ts';
import { createModelRoutes } from './routes/text/models.ts';
import { createTextCallRoutes } from './routes/text/textCalls.ts';
import { createUploadRoutes } from './routes/uploads.ts';
import { createWorkflowRoutes } from './routes/workflows.ts';
import type { Engine } from './runs/engine.ts';
import { loadEngine } from './runs/loadEngine.ts';
import { PausedRuns } from './runs/pausedRuns.ts';
import { RunRecorder } from './runs/runRecorder.ts';
import { RunReplay } from './runs/runReplay.ts';
import { RunService } from './runs/runService.ts';
import { RunSlots } from './runs/runSlots.ts';
import { Authenticator } from './server/auth.ts';
import { GatewayServer } from './server/server.ts';
import type { GatewayConfig } from './setup/config.ts';
import { type Flags, SettingError } from './setup/flags.ts';
import { readKeys } from './setup/keys.ts';
import { getNetworkSettings, readConfig, resolveSecrets } from './setup/readConfig.ts';
import { FolderSign } from './store/folder/folderSign.ts';
import type { Store } from './store/store.ts';
import { CallRecorder } from './textGeneration/callRecorder.ts';
import { GatewayTextModels } from './textGeneration/gatewayTextModels.ts';
import { ReplyCache } from './textGeneration/replyCache.ts';
import { TextCalls } from './textGeneration/textCalls.ts';
import { TextGeneration } from './textGeneration/textGeneration.ts';

/** How long runs may take to end when the gateway stops, and then requests. */
const stopGraceMs = 5_000;
/** Days that a run can stay paused, as in Dify Cloud. */
const defaultPausedDays = 7;

/** A running gateway. This is the only place where its parts are put together. */
export class Gateway {
	/** The line to write to stdout once the gateway listens. */
	readonly readyLine: string;
	readonly #parts: GatewayParts;

	private constructor(parts: GatewayParts, readyLine: string) {
		this.#parts = parts;
		this.readyLine = readyLine;
	}

	/**
	 * Starts everything, and resolves once the gateway listens. Calls `end` when the gateway wants to exit. Throws a `SettingError` for an
	 * invalid setting, a `FolderInUseError`, or an `OpenFailure` of the store.
	 */
	static async start(flags: Flags, end: () => void): Promise<Gateway> {
		const log = new Log(flags.log, text => process.stderr.write(text));
		const keys = await readKeys(flags);
		for (const key of [keys.apiKey, ...keys.upstream.values()]) {
			log.addSecret(key);
		}
		const config = await readConfig(flags.config);
		const configuration = hashConfiguration(
			readTextIfFile(flags.config),
			[...keys.upstream.keys()],
			selectByWildcards(config.engine.environment ?? [], process.env),
		);
		const network = getNetworkSettings(config, keys.proxy);
		for (const password of listProxyPasswords(network)) {
			log.addSecret(password);
		}
		const sign = new FolderSign(flags.data);
		const store = await openStore(flags, sign, log);
		if (store.interrupted > 0) {
			log.warn('Runs of the previous process were interrupted', { runs: store.interrupted });
		}
		const recordings = new OpenRecordings([keys.apiKey, ...keys.upstream.values(), ...listProxyPasswords(network)]);
		const calls = new TextCalls({
			recordings,
			recorder: new CallRecorder(store.textCalls, config.request_log, log),
			cache: new ReplyCache(store.replies, log),
		});
		const generation = new TextGeneration(new RouteTable(config.routes, keys.upstream, config.offline, config.prices), {
			network,
			allowPrivateNetwork: config.engine.allow_private_network ?? false,
			calls,
		});
		const knowledge = createOnce(() => loadKnowledge(config, flags, keys.upstream, generation, log));
		const engine = createOnce(async () => {
			const tools = { config, keys: keys.upstream, fetch: generation.eventFetch, agents, log };
			const models = new GatewayTextModels(generation);
			return loadEngine(config.engine, network, models, store.uploads, { tools, knowledge: (await knowledge()).knowledge });
		});
		const remote = new Map(
			Object.entries(config.agents).flatMap(([name, agent]) =>
				'dify' in agent ? [[name, createDifyAgent(agent.dify, keys.upstream)]] : [],
			),
		);
		const dify = new DifyAgents(remote, generation.upstreams);
		const secrets = new AgentSecrets({
			configured: resolveSecrets(config, keys.upstream),
			allowed: config.engine.environment ?? [],
			environment: process.env,
			log,
		});
		// the name of this file in the bundle has a hash of the code, which includes the name of the engine's file
		const reading = { loader: async () => (await engine()).loadAgent, codeVersion: import.meta.url };
		const agents = new AgentRegistry(store.agents, reading, new Set(remote.keys()), secrets, log);
		const slots = new RunSlots(flags.maxConcurrentRuns);
		const recorder = new RunRecorder(store.runs, store.late, log);
		const runs = new RunService({ store, engine, slots, recorder, recordings, log });
		const forms = new PausedRuns({
			store,
			runs,
			slots,
			agents,
			resume: (run, { state }, agent) => ChatTurn.resumeTurn(store.conversations, agent, run, state),
			limitMs: (config.engine.max_paused_days ?? defaultPausedDays) * 86_400_000,
			now: Date.now,
			log,
		});
		const debug = createOnce(async () => new (await import('./debug/debugSessions.ts')).DebugSessions());
		const mcp = createOnce(async () => (await import('./mcp/mcpEndpoint.ts')).McpEndpoint.openEndpoint({ agents, runs, store, log }));
		const attachments = new Attachments(flags.exitWhenIdleSeconds, () => slots.wanted > 0, end, log);
		const server = new GatewayServer(new Authenticator(keys.apiKey), log);
		server.add([...createHealthRoutes(sign.instance, store), ...createDescriptionRoutes(() => server.routes)]);
		const replay = new RunReplay(store, runs, recorder);
		server.add(
			dify.wrapRoutes([
				...createWorkflowRoutes({ agents, runs, replay, recordings, store }),
				...createFormRoutes({ agents, forms }),
				...createDebugRoutes({ agents, runs, replay, recordings, store, debug }),
				...createChatRoutes({ agents, runs, recordings, store }),
				...createCompletionMessageRoutes({ agents, runs }),
				...createConversationRoutes({ agents, runs, store }),
				...createDifyInfoRoutes(agents),
			]),
		);
		server.add([...createUploadRoutes(store.uploads, dify), ...createAgentRoutes(agents, attachments, configuration)]);
		server.add([...createMcpRoutes(mcp), ...createRecordingRoutes(recordings)]);
		server.add(createKnowledgeRoutes(async () => (await knowledge()).knowledge));
		const agentModels = new AgentModels({ agents, runs, store }, config.agents_as_models);
		server.add([
			...createMessagesRoutes(generation),
			...createCompletionsRoutes(generation),
			...createContentRoutes(generation),
			...createOpenAiRoutes(generation, agentModels),
			...createResponseRoutes({ generation, history: new ResponseHistory(store.responses, log), agents: agentModels }),
			...createModelRoutes(generation, agentModels),
			...createTextCallRoutes(calls, store.textCalls),
		]);
		const { port } = await startListening(server, flags, [...flags.allowedOrigins, ...config.allowed_origins]);
		sign.writeSign(port);
		const baseUrl = `http://${flags.host.includes(':') ? `[${flags.host}]` : flags.host}:${port}`;
		log.info('Listening', { base_url: baseUrl });
		if (Object.keys(config.knowledge).length > 0) {
			knowledge().catch((error: unknown) => log.error("Couldn't index the datasets", { error }));
		}
		for (const folder of flags.agents) {
			agents.addFolder(resolve(folder)).catch((error: unknown) => log.error("Couldn't serve an agents folder", { folder, error }));
		}
		forms.start();
		const readyLine = flags.readyJson
			? `${JSON.stringify({ ready: true, base_url: baseUrl, ...(keys.isApiKeyPrinted && { api_key: keys.apiKey }) } satisfies ReadyLine)}\n`
			: `Listening on ${baseUrl}\n`;
		const parts = { server, generation, knowledge, engine, debug, mcp, agents, runs, forms, attachments, store, sign, log };
		return new Gateway(parts, readyLine);
	}

	/** Logs an uncaught error. The process has to exit then, because its state is unknown. */
	logCrash(error: unknown): void {
		const { log } = this.#parts;
		log.error('The gateway failed', { error });
		log.flushLines();
	}

	/**
	 * Stops the gateway. First stops and saves the runs, then gives requests a moment to finish, then closes the store and unlocks the data
	 * folder.
	 */
	async stop(reason: string): Promise<void> {
		const { server, generation, knowledge, engine, debug, mcp, agents, runs, forms, attachments, store, sign, log } = this.#parts;
		log.info('Stopping', { reason, runs: runs.active });
		attachments.stop();
		forms.stop();
		agents.close();
		const closed = server.close(stopGraceMs);
		await runs.shutDown(stopGraceMs);
		await engine.made?.then(made => made.close()).catch((error: unknown) => log.error("Couldn't close the engine", { error }));
		await debug.made?.then(made => made.close());
		await mcp.made?.then(made => made.close()).catch((error: unknown) => log.error("Couldn't close MCP sessions", { error }));
		attachments.disconnectAll();
		await closed;
		await knowledge.made?.then(
			running => running.stop(),
			() => {},
		);
		await generation.close();
		await generation.calls.recorder?.stop();
		sign.removeSign();
		await store.close();
		log.flushLines();
	}
}

interface GatewayParts {
	readonly server: GatewayServer;
	readonly generation: TextGeneration;
	readonly knowledge: Once<RunningKnowledge>;
	readonly agents: AgentRegistry;
	readonly runs: RunService;
	readonly forms: PausedRuns;
	readonly attachments: Attachments;
	readonly engine: Once<Engine>;
	readonly debug: Once<DebugSessions>;
	readonly mcp: Once<McpEndpoint>;
	readonly store: Store;
	readonly sign: FolderSign;
	readonly log: Log;
}

async function startListening(server: GatewayServer, flags: Flags, origins: readonly string[]): Promise<{ readonly port: number }> {
	try {
		return await server.listen(flags.host, flags.port, flags.allowedHosts, origins);
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : '';
		const problem = listenProblems[code];
		throw problem === undefined ? error : new SettingError(`--host ${flags.host} --port ${flags.port}: ${problem}.`);
	}
}

const listenProblems: Readonly<Record<string, string>> = {
	EADDRINUSE: 'the port is in use by another process',
	EACCES: 'permission denied',
	EADDRNOTAVAIL: "the address doesn't belong to this machine",
	ENOTFOUND: "the address doesn't belong to this machine",
};

/** Loads the datasets when the first agent needs them, or on start if there are any. Folders are relative to the configuration file. */
async function loadKnowledge(
	{ knowledge: datasets }: GatewayConfig,
	{ config, data }: Flags,
	keys: ReadonlyMap<string, string>,
	generation: TextGeneration,
	log: Log,
): Promise<RunningKnowledge> {
	const { createKnowledge } = await import('./knowledge/createKnowledge.ts');
	const base = config === undefined ? '.' : dirname(config);
	return createKnowledge({ datasets, base: resolve(base), data, keys, generation, log });
}

/** Creates a value on first use. `made` is the value if it already exists. */
interface Once<T> {
	(): Promise<T>;
	readonly made: Promise<T> | undefined;
}

function createOnce<T>(make: () => Promise<T>): Once<T> {
	let made: Promise<T> | undefined;
	const getOrCreate = () => {
		made ??= make();
		return made;
	};
	return Object.defineProperty(getOrCreate, 'made', { get: () => made }) as Once<T>;
}
