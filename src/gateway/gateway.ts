import { resolve } from 'node:path';
import { AgentRegistry } from './agents/agentRegistry.ts';
import { Attachments } from './attachments.ts';
import { configSchema, type GatewayConfig } from './config.ts';
import { DifyAgents, difyAgent } from './dify/difyAgents.ts';
import { type Flags, SettingError } from './flags.ts';
import { FolderInUseError } from './folderInUse.ts';
import { readKeys } from './keys.ts';
import { Lock } from './lock.ts';
import { Log } from './log.ts';
import { GatewayTextModels } from './models/gatewayTextModels.ts';
import { RouteTable } from './models/routeTable.ts';
import { TextGeneration } from './models/textGeneration.ts';
import { agentRoutes } from './routes/agents.ts';
import { chatRoutes } from './routes/chat.ts';
import { completionsRoutes } from './routes/completions.ts';
import { contentRoutes } from './routes/content.ts';
import { conversationRoutes } from './routes/conversations.ts';
import { descriptionRoutes } from './routes/description.ts';
import { difyInfoRoutes } from './routes/difyInfo.ts';
import { healthRoutes } from './routes/health.ts';
import { messagesRoutes } from './routes/messages.ts';
import { modelRoutes } from './routes/models.ts';
import { uploadRoutes } from './routes/uploads.ts';
import { workflowRoutes } from './routes/workflows.ts';
import type { Engine } from './runs/engine.ts';
import { RunRecorder } from './runs/runRecorder.ts';
import { RunService } from './runs/runService.ts';
import { RunSlots } from './runs/runSlots.ts';
import { Authenticator } from './server/auth.ts';
import { GatewayServer } from './server/server.ts';
import { StoreInUseError } from './store/folderHold.ts';
import { Store } from './store/store.ts';

/** How long runs, then requests, may take to end after the process was told to. */
const stopGraceMs = 5_000;

/** One running gateway: its parts, put together here and nowhere else. */
export class Gateway {
	/** What stdout says when it listens. */
	readonly readyLine: string;
	readonly #parts: GatewayParts;

	private constructor(parts: GatewayParts, readyLine: string) {
		this.#parts = parts;
		this.readyLine = readyLine;
	}

	/**
	 * Starts everything and resolves when it listens; `end` is called when it wants to end by itself. Throws a `SettingError` for what the
	 * user has to mend, or a `FolderInUseError`.
	 */
	static async start(flags: Flags, end: () => void): Promise<Gateway> {
		const log = new Log(flags.log, text => process.stderr.write(text));
		const keys = await readKeys(flags);
		for (const key of [keys.apiKey, ...keys.upstream.values()]) {
			log.addSecret(key);
		}
		const config = await readConfig(flags.config);
		const lock = new Lock(flags.data);
		const store = openStore(flags, lock);
		if (store.interrupted > 0) {
			log.warn('runs of the last process were interrupted', { runs: store.interrupted });
		}
		const generation = new TextGeneration(new RouteTable(config.routes, keys.upstream), {
			allowPrivateNetwork: config.engine.allow_private_network ?? false,
		});
		const engine = once(() => loadEngine(config, generation, store));
		const remote = new Map(Object.entries(config.agents).map(([name, { dify }]) => [name, difyAgent(dify, keys.upstream)]));
		const dify = new DifyAgents(remote, generation.upstreams);
		const agents = new AgentRegistry(store.agents, async () => (await engine()).load, new Set(remote.keys()));
		const slots = new RunSlots(flags.maxConcurrentRuns);
		const runs = new RunService({ store, engine, slots, recorder: new RunRecorder(store.runs, log), log });
		const attachments = new Attachments(flags.exitWhenIdleSeconds, () => slots.wanted > 0, end, log);

		const server = new GatewayServer(new Authenticator(keys.apiKey), log);
		server.add([...healthRoutes(), ...descriptionRoutes(() => server.routes)]);
		server.add(
			dify.before([
				...workflowRoutes({ agents, runs, store }),
				...chatRoutes({ agents, runs, store }),
				...conversationRoutes(agents, store.conversations),
				...difyInfoRoutes(agents),
			]),
		);
		server.add([...uploadRoutes(store.uploads, dify), ...agentRoutes(agents, attachments)]);
		server.add([...messagesRoutes(generation), ...completionsRoutes(generation), ...contentRoutes(generation), ...modelRoutes(generation)]);
		const { port } = await listen(server, flags);
		lock.write(port);
		const baseUrl = `http://${flags.host.includes(':') ? `[${flags.host}]` : flags.host}:${port}`;
		log.info('listening', { base_url: baseUrl });
		for (const folder of flags.agents) {
			agents.addFolder(resolve(folder)).catch((error: unknown) => log.error('an agents folder cannot be served', { folder, error }));
		}
		const readyLine = flags.readyJson
			? `${JSON.stringify({ ready: true, base_url: baseUrl, ...(keys.apiKeyIsTold && { api_key: keys.apiKey }) })}\n`
			: `Listening on ${baseUrl}\n`;
		return new Gateway({ server, generation, agents, runs, attachments, store, lock, log }, readyLine);
	}

	/** Writes down a fault that nobody has caught; the process has to end then, because its state is unknown. */
	crashed(error: unknown): void {
		const { log } = this.#parts;
		log.error('the gateway failed', { error });
		log.flush();
	}

	/** Ends in order: runs are stopped and written, requests get a moment, then the store is closed and the data folder let go. */
	async stop(reason: string): Promise<void> {
		const { server, generation, agents, runs, attachments, store, lock, log } = this.#parts;
		log.info('ending', { reason, runs: runs.active });
		attachments.stop();
		agents.close();
		const closed = server.close(stopGraceMs);
		await runs.stopAll(stopGraceMs);
		await closed;
		await generation.close();
		lock.remove();
		await store.close();
		log.flush();
	}
}

interface GatewayParts {
	readonly server: GatewayServer;
	readonly generation: TextGeneration;
	readonly agents: AgentRegistry;
	readonly runs: RunService;
	readonly attachments: Attachments;
	readonly store: Store;
	readonly lock: Lock;
	readonly log: Log;
}

async function readConfig(file: string | undefined): Promise<GatewayConfig> {
	if (file === undefined) {
		return configSchema.parse({});
	}
	const { readJsonFile } = await import('./configFile.ts');
	return readJsonFile(file, configSchema);
}

function openStore(flags: Flags, lock: Lock): Store {
	try {
		return new Store(flags.data, flags.retentionDays);
	} catch (error) {
		if (!(error instanceof StoreInUseError)) {
			throw error;
		}
		const other = lock.read();
		const who = other ? `the gateway of process ${other.pid}, which listens on port ${other.port}` : 'a gateway that is just starting';
		throw new FolderInUseError(`--data ${flags.data}: in use by ${who}.`);
	}
}

async function listen(server: GatewayServer, flags: Flags): Promise<{ readonly port: number }> {
	try {
		return await server.listen(flags.host, flags.port);
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : '';
		const problem = listenProblems[code];
		throw problem === undefined ? error : new SettingError(`--host ${flags.host} --port ${flags.port}: ${problem}.`);
	}
}

const listenProblems: Readonly<Record<string, string>> = {
	EADDRINUSE: 'in use by another process',
	EACCES: 'not allowed',
	EADDRNOTAVAIL: 'not an address of this machine',
	ENOTFOUND: 'not an address of this machine',
};

/** The engine and all it needs, loaded at the first agent: nothing of it is wanted for passing text generation through. */
async function loadEngine(config: GatewayConfig, generation: TextGeneration, store: Store): Promise<Engine> {
	const { createEngine } = await import('./runs/createEngine.ts');
	return createEngine(config.engine, new GatewayTextModels(generation), store.uploads);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
	let made: Promise<T> | undefined;
	return () => {
		made ??= make();
		return made;
	};
}
