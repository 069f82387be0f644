import path from 'node:path';
import { type ServiceKind, serviceKinds } from '#contract/serviceKinds.ts';
import type { GivenArguments } from '../arguments/givenArguments.ts';
import { CliFault } from '../cliFault.ts';
import { findStats } from '../foundFiles.ts';

/** Options for the gateway that the command starts. */
export interface OwnGatewayOptions {
	/** Absolute paths of agents folders. */
	readonly agents: readonly string[];
	readonly config?: string;
	readonly keyFile?: string;
	/** Folder of the gateway's store. If absent, a temporary folder. */
	readonly data?: string;
}

/** A service given by its URL. */
interface RemoteOptions {
	readonly baseUrl: string;
	readonly kind: ServiceKind;
	/** Absent if the service needs no key. */
	readonly key?: string;
}

/** Environment variable with the key, by default. */
const defaultKeyVariable = 'AGENT_WORKBENCH_KEY';
const defaultAgents = 'agents';

/**
 * Returns the options for the gateway to start. Throws a {@link CliFault} if a folder doesn't exist.
 *
 * @param files absolute paths of the files to run; if the working folder has no agents folder, the nearest one in their parent folders is
 * used
 */
export function readGatewayOptions(given: GivenArguments, files: readonly string[]): OwnGatewayOptions {
	const [config, keyFile, data] = [given.getValue('config'), given.getValue('key-file'), given.getValue('data')];
	return {
		agents: findAgentFolders(given, files),
		...(config !== undefined && { config }),
		...(keyFile !== undefined && { keyFile }),
		...(data !== undefined && { data: path.resolve(data) }),
	};
}

/** Returns the service that the options name, or `undefined` for the built-in gateway. Throws a {@link CliFault}. */
export function readRemoteOptions(given: GivenArguments, environment: NodeJS.ProcessEnv): RemoteOptions | undefined {
	const baseUrl = given.getValue('base-url');
	if (baseUrl === undefined) {
		const stray = ['kind', 'api-key-env'].find(name => given.has(name));
		if (stray !== undefined) {
			throw new CliFault(`--${stray}: requires --base-url.`);
		}
		return undefined;
	}
	if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
		throw new CliFault('--base-url: expected an http:// or https:// URL.');
	}
	const stray = ['agents', 'config', 'key-file'].find(name => given.has(name));
	if (stray !== undefined) {
		throw new CliFault(`--${stray}: can't be used with --base-url. It's for the built-in gateway.`);
	}
	const key = readKey(given.getValue('api-key-env'), environment);
	return { baseUrl, kind: parseServiceKind(given.getValue('kind') ?? 'gateway'), ...(key !== undefined && { key }) };
}

function findAgentFolders(given: GivenArguments, files: readonly string[]): string[] {
	const named = given.getValues('agents');
	for (const folder of named) {
		if (!isFolder(folder)) {
			throw new CliFault(`--agents ${folder}: no such folder.`);
		}
	}
	if (named.length > 0) {
		return named.map(folder => path.resolve(folder));
	}
	const own = path.resolve(defaultAgents);
	return isFolder(own) ? [own] : [...new Set(files.flatMap(file => findNearestAgents(path.dirname(file)) ?? []))];
}

/** Returns the agents folder in this folder or in the nearest parent folder that has one. */
function findNearestAgents(folder: string): string | undefined {
	const agents = path.join(folder, defaultAgents);
	const parent = path.dirname(folder);
	return isFolder(agents) ? agents : parent === folder ? undefined : findNearestAgents(parent);
}

function isFolder(file: string): boolean {
	return findStats(file)?.isDirectory() ?? false;
}

function readKey(variable: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
	const key = environment[variable ?? defaultKeyVariable]?.trim();
	if (variable !== undefined && !key) {
		throw new CliFault(`--api-key-env ${variable}: the environment variable isn't set.`);
	}
	return key === '' ? undefined : key;
}

function parseServiceKind(kind: string): ServiceKind {
	if (!Object.hasOwn(serviceKinds, kind)) {
		throw new CliFault(`--kind ${kind}: expected one of ${Object.keys(serviceKinds).join(', ')}.`);
	}
	return kind as ServiceKind;
}
