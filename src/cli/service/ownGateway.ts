import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { hashConfiguration, hashContent, readTextIfFile } from '#base/files/contentHash.ts';
import { scanFolder } from '#base/files/folderScan.ts';
import { getField, getItems, toFields } from '#base/records/plainValues.ts';
import { selectByWildcards } from '#base/text/wildcard.ts';
import { type Attachment, attachToGateway } from '#client/localGateway/gatewayAttachment.ts';
import { buildGatewayEnvironment } from '#client/localGateway/gatewayEnvironment.ts';
import { GatewayKey } from '#client/localGateway/gatewayKey.ts';
import { findGateway, type GatewayEndpoint, getLockEndpoint } from '#client/localGateway/gatewayLock.ts';
import { CliFault } from '../cliFault.ts';
import type { Interrupt } from '../interrupt.ts';
import { GatewayChild } from './gatewayChild.ts';
import type { OwnGatewayOptions } from './serviceOptions.ts';

/** The built-in gateway while a command uses it. */
interface OwnGateway extends GatewayEndpoint {
	/** Hash of its configuration, the environment variables that agents may read, and the documents that agents search. */
	readonly configuration: string;
	/** Detaches from the gateway. If this command started it and no other uses it, also stops it and removes its temporary folder. */
	close(): Promise<void>;
}

/** Maximum number of attempts. A gateway that is exiting can be found at one moment and gone at the next. */
const rounds = 10;

/**
 * Starts the built-in gateway, or uses the one that already serves the data folder (for example that of a killed command, still stopping
 * its runs). Rejects with a {@link CliFault}. If this process exits immediately, even during the start, the gateway is killed and its
 * temporary folder is removed.
 */
export async function openOwnGateway(options: OwnGatewayOptions, ending: Pick<Interrupt, 'onEnd'>): Promise<OwnGateway> {
	const isTemporary = options.data === undefined;
	const data = options.data ?? mkdtempSync(path.join(os.tmpdir(), 'agent-workbench-'));
	if (isTemporary) {
		ending.onEnd(() => rmSync(data, { recursive: true, force: true, maxRetries: 5 }));
	}
	try {
		const { child, endpoint } = await startOrFindGateway(data, options, ending);
		// attach, so that the gateway exits by itself if this process is killed, and so that it reads its agents folders before the first run
		const held = await attachToGateway(endpoint, options.agents, { onAgentsChanged() {}, onLog() {}, onEnd() {} });
		if (child) {
			child.attachment = held;
		}
		if (!child && held.configuration !== hashOptions(options)) {
			held.close();
			throw new CliFault(
				`--data ${data}: a gateway with a different --config, --key-file or environment is using this folder. Stop it, or choose another folder.`,
			);
		}
		return {
			...endpoint,
			configuration: hashContent([
				held.configuration ?? '',
				hashReferences(parse(readTextIfFile(options.config)), path.dirname(options.config ?? '')),
			]),
			async close() {
				await releaseGateway(held, child);
				if (isTemporary) {
					await rm(data, { recursive: true, force: true, maxRetries: 5 });
				}
			},
		};
	} catch (error) {
		if (isTemporary) {
			await rm(data, { recursive: true, force: true, maxRetries: 5 });
		}
		throw error;
	}
}

async function startOrFindGateway(
	data: string,
	options: OwnGatewayOptions,
	ending: Pick<Interrupt, 'onEnd'>,
): Promise<{ readonly child: GatewayChild | undefined; readonly endpoint: GatewayEndpoint }> {
	const flags = [
		'--data',
		data,
		...(options.config === undefined ? [] : ['--config', options.config]),
		...(options.keyFile === undefined ? [] : ['--key-file', options.keyFile]),
	];
	for (let round = 1; round <= rounds; round++) {
		const child = await GatewayChild.start(flags, createEnvironment(options.config), ending);
		if (child) {
			return { child, endpoint: child.endpoint };
		}
		const lock = await findGateway(data);
		if (lock) {
			return { child: undefined, endpoint: getLockEndpoint(lock, await new GatewayKey(data).get()) };
		}
		await new Promise(resolve => setTimeout(resolve, 100 * round));
	}
	throw new CliFault(`--data ${data}: another gateway is using this folder.`);
}

async function releaseGateway(held: Attachment, child: GatewayChild | undefined): Promise<void> {
	// another command on the same data folder has active runs; the gateway exits by itself once that command has detached too
	const isShared = held.isShared;
	held.close();
	if (!isShared) {
		await child?.stop();
	}
}

/**
 * Hashes the configuration that the options name, with the environment variables that it allows. Ignores files that can't be read, because
 * the gateway reports them.
 */
function hashOptions({ config, keyFile }: OwnGatewayOptions): string {
	const keys: unknown = parse(readTextIfFile(keyFile));
	const keyNames = typeof keys === 'object' && keys !== null ? Object.keys(keys) : [];
	return hashConfiguration(readTextIfFile(config), keyNames, getAllowedVariables(config));
}

/** Returns the environment of the gateway: the basic variables of programs, and those that the configuration allows agents to read. */
function createEnvironment(config: string | undefined): NodeJS.ProcessEnv {
	return { ...buildGatewayEnvironment(process.env), ...Object.fromEntries(getAllowedVariables(config)) };
}

/**
 * Returns the variables that `engine.environment` of a configuration allows. Returns none if the file is invalid, which the gateway
 * reports.
 */
function getAllowedVariables(config: string | undefined): ReadonlyMap<string, string | undefined> {
	const names = getItems(getField(parse(readTextIfFile(config)), 'engine'), 'environment').filter(name => typeof name === 'string');
	return selectByWildcards(names, process.env);
}

/**
 * Hashes what a configuration refers to: the documents in dataset folders by their names, sizes and times, which the index also uses to
 * detect changes, and the texts of OpenAPI descriptions, which define tools of agents.
 *
 * @param base base of relative folders; descriptions start at the working folder, as in the gateway
 */
function hashReferences(config: unknown, base: string): string {
	const listPaths = (group: string, field: string) =>
		Object.values(toFields(getField(config, group)))
			.map(entry => getField(entry, field))
			.filter(found => typeof found === 'string');
	const folders = listPaths('knowledge', 'folder').map(folder => listDocuments(path.resolve(base, folder)));
	return hashContent([folders, listPaths('api_tools', 'schema').map(readTextIfFile)]);
}

/** Returns undefined for a folder that can't be read, which the gateway reports. */
function listDocuments(folder: string): readonly unknown[] | undefined {
	try {
		return scanFolder(folder).files.map(({ path: name, size, modified }) => [name, size, modified]);
	} catch {
		return undefined;
	}
}
