import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { GivenArguments } from '../arguments/givenArguments.ts';
import { gatewayProgram } from '../assets.ts';
import { printLine } from '../output.ts';
import { readGatewayOptions } from '../service/serviceOptions.ts';

const passed = ['port', 'host', 'api-key-file', 'max-concurrent-runs', 'retention-days', 'log'] as const;
const switches = ['set-aside-store', 'ready-json'] as const;

/** `agent-workbench serve`: turns this process into the gateway. Throws a `CliFault`. */
export async function runServe(given: GivenArguments): Promise<void> {
	const { agents, config, keyFile, data } = readGatewayOptions(given, []);
	const folder = data ?? createTemporaryFolder();
	const flags = [
		['--data', folder],
		...agents.map(each => ['--agents', each]),
		...(config === undefined ? [] : [['--config', config]]),
		...(keyFile === undefined ? [] : [['--key-file', keyFile]]),
		...passed.flatMap(name => (given.has(name) ? [[`--${name}`, given.getValue(name)!]] : [])),
		...['allow-host', 'allow-origin'].flatMap(name => given.getValues(name).map(value => [`--${name}`, value])),
		...switches.filter(name => given.has(name)).map(name => [`--${name}`]),
	].flat();
	if (!given.has('api-key-file')) {
		printLine(`Its key is in ${path.join(folder, 'gateway.key')}`);
	}
	process.argv.splice(1, process.argv.length - 1, gatewayProgram, ...flags);
	// the program reads its arguments when it is loaded
	const url = new URL('./gateway.js', import.meta.url);
	await import(url.href);
}

/** Creates a folder that is removed when the process exits. */
function createTemporaryFolder(): string {
	const folder = mkdtempSync(path.join(os.tmpdir(), 'agent-workbench-'));
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
