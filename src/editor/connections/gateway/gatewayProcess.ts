import fs from 'node:fs/promises';
import path from 'node:path';
import { l10n } from 'vscode';
import { Problem, type Remedy } from '#base/problems.ts';
import { buildGatewayEnvironment } from '#client/localGateway/gatewayEnvironment.ts';
import { type GatewayStartError, spawnGateway } from '#client/localGateway/spawnGateway.ts';

/** Options of a gateway process. */
export interface GatewayOptions {
	/** Path of `dist/gateway.js`. */
	readonly program: string;
	readonly dataFolder: string;
	/** Key that clients must send. Passed through stdin, so that neither the process list nor the environment shows it. */
	readonly key: string;
	/** Content of the `--config` file, without keys. */
	readonly config: Readonly<Record<string, unknown>>;
	/** Additional flags. */
	readonly flags: readonly string[];
	/** Keys for upstreams by name, passed like {@link key}. */
	readonly upstreamKeys: Readonly<Record<string, string>>;
	/** Value of `http.proxy`, passed like {@link key} because it can contain a password. */
	readonly proxy: string | undefined;
	/** Called with each line of the gateway's log (stderr, one JSON object per line), without the line break. */
	readonly onLog: (line: string) => void;
}

/** Seconds that a gateway without attachments keeps running. Long enough for a window to reload. */
const idleSeconds = 20;
const startTimeoutMs = 20_000;

/**
 * Starts a gateway and resolves to its base URL when it listens. The process outlives this window while a run is active, and exits when
 * it's idle. Rejects with a {@link Problem}: `folder-in-use` if another gateway was faster, `store` if its store can't be opened, or
 * `gateway-start`.
 */
export async function startGateway(options: GatewayOptions): Promise<string> {
	await fs.mkdir(options.dataFolder, { recursive: true });
	const config = path.join(options.dataFolder, 'gateway.config.json');
	// other users of this machine must not read the file, because it may contain secrets for tools
	await fs.rm(config, { force: true });
	await fs.writeFile(config, JSON.stringify(options.config, undefined, '\t'), { mode: 0o600 });
	const { process: child, ready } = spawnGateway({
		program: options.program,
		flags: ['--data', options.dataFolder, '--stdin-keys', '--log', 'json', '--config', config, ...options.flags],
		// in a desktop editor, execPath is Electron, which ELECTRON_RUN_AS_NODE makes behave like Node
		environment: { ...buildGatewayEnvironment(process.env), ELECTRON_RUN_AS_NODE: '1' },
		keys: { api_key: options.key, keys: options.upstreamKeys, proxy: options.proxy },
		idleSeconds,
		timeoutMs: startTimeoutMs,
		onLog: options.onLog,
	});
	child.unref();
	try {
		return (await ready).base_url;
	} catch (error) {
		throw toStartProblem(error as GatewayStartError);
	}
}

function toStartProblem({ reason, message, lastLine, canSetAside, exit }: GatewayStartError): Problem {
	const cause =
		lastLine ||
		(reason === 'spawn'
			? message
			: reason === 'timeout'
				? l10n.t("It didn't start listening within {0} s.", startTimeoutMs / 1000)
				: l10n.t({ message: 'Its process ended with {0}.', args: [exit], comment: ['{0} is an exit code or a signal'] }));
	return reason === 'store'
		? new Problem(reason, cause, canSetAside ? createNewStoreRemedy() : undefined)
		: new Problem(reason === 'folder-in-use' ? reason : 'gateway-start', cause);
}

/** Offers to use a new store. The old store is moved to a folder next to it, so nothing is lost. */
function createNewStoreRemedy(): Remedy {
	return { title: l10n.t('Start with empty store'), command: 'agentWorkbench.gateway.setAsideStore' };
}
