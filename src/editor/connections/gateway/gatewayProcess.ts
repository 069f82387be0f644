import fs from 'node:fs/promises';
import path from 'node:path';
import { l10n } from 'vscode';
import { Problem, type Remedy } from '#base/problems.ts';
import { gatewayEnvironment } from '#client/localGateway/gatewayEnvironment.ts';
import { type GatewayStartError, spawnGateway } from '#client/localGateway/spawnGateway.ts';

/** What a gateway process is started with. */
export interface GatewayOptions {
	/** `dist/gateway.js`. */
	readonly program: string;
	readonly dataFolder: string;
	/** Handed over through stdin, so that neither the process list nor the environment shows it. */
	readonly key: string;
	/** The file of `--config`, which holds no key. */
	readonly config: Readonly<Record<string, unknown>>;
	/** Further flags. */
	readonly flags: readonly string[];
	/** Keys for its upstreams by name, handed over as {@link key} is. */
	readonly upstreamKeys: Readonly<Record<string, string>>;
	/** `http.proxy`, handed over as {@link key} is: it can hold a password. */
	readonly proxy: string | undefined;
	/** A line of its log (stderr, one JSON object a line), without the line break. */
	readonly onLog: (line: string) => void;
}

/** Seconds that a gateway without attachments stays: long enough for a window that reloads. */
const idleSeconds = 20;
const startTimeoutMs = 20_000;

/**
 * Starts a gateway and resolves to its base URL when it listens. It is a process of its own that outlives this window while a run
 * goes on, and ends by itself when it is idle. Rejects with a {@link Problem}: `folder-in-use` where another one was faster, `store` where its store cannot
 * be opened (with the remedy, where there is one), else `gateway-start`.
 */
export async function startGateway(options: GatewayOptions): Promise<string> {
	await fs.mkdir(options.dataFolder, { recursive: true });
	const config = path.join(options.dataFolder, 'gateway.config.json');
	// what programs of tools are given may be nobody else's to read
	await fs.rm(config, { force: true });
	await fs.writeFile(config, JSON.stringify(options.config, undefined, '\t'), { mode: 0o600 });
	const { process: child, ready } = spawnGateway({
		program: options.program,
		flags: ['--data', options.dataFolder, '--stdin-keys', '--log', 'json', '--config', config, ...options.flags],
		// ELECTRON_RUN_AS_NODE: in a desktop editor execPath is Electron
		environment: { ...gatewayEnvironment(process.env), ELECTRON_RUN_AS_NODE: '1' },
		keys: { api_key: options.key, keys: options.upstreamKeys, proxy: options.proxy },
		idleSeconds,
		timeoutMs: startTimeoutMs,
		onLog: options.onLog,
	});
	child.unref();
	try {
		return (await ready).base_url;
	} catch (error) {
		throw problemOf(error as GatewayStartError);
	}
}

function problemOf({ reason, message, lastLine, canSetAside }: GatewayStartError): Problem {
	const said = lastLine || (reason === 'spawn' ? message : `it ${message}`);
	return reason === 'store'
		? new Problem(reason, said, canSetAside ? setAside() : undefined)
		: new Problem(reason === 'folder-in-use' ? reason : 'gateway-start', said);
}

/** A store that is set aside lies in a folder beside the new one: nothing is lost. */
function setAside(): Remedy {
	return { title: l10n.t('Set Aside and Start New'), command: 'agentWorkbench.gateway.setAsideStore' };
}
