import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createGreetingAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, createTemporaryFolder, runGateway, startGateway } from '../contract/gateway/gatewayProcess.ts';

type Damage = (file: string, folder: string) => void;

function overwriteBytes(file: string, at: number, bytes: Buffer): void {
	const handle = fs.openSync(file, 'r+');
	fs.writeSync(handle, bytes, 0, bytes.length, at);
	fs.closeSync(handle);
}

function createSqlDamage(text: string): Damage {
	return file => {
		const db = new DatabaseSync(file);
		db.exec(text);
		db.close();
	};
}

const damages: Readonly<Record<string, { readonly damage: Damage; readonly reason?: string; readonly says: RegExp }>> = {
	'random bytes in its header': { damage: file => overwriteBytes(file, 0, randomBytes(100)), says: /gateway\.db is damaged/ },
	'only zero bytes': { damage: file => overwriteBytes(file, 0, Buffer.alloc(fs.statSync(file).size)), says: /gateway\.db is damaged/ },
	'a text file instead of a database': { damage: file => fs.writeFileSync(file, 'hello '.repeat(1000)), says: /gateway\.db is damaged/ },
	'a missing second half': { damage: file => fs.truncateSync(file, fs.statSync(file).size / 2), says: /gateway\.db is damaged/ },
	'a folder instead of a file': {
		damage: file => {
			fs.rmSync(file);
			fs.mkdirSync(file);
		},
		says: /gateway\.db is a folder instead of a file/,
	},
	'a missing table': { damage: createSqlDamage('DROP TABLE run_counts'), says: /gateway\.db is damaged \(.*run_counts/ },
	'a newer format': {
		damage: createSqlDamage('PRAGMA user_version = 999'),
		reason: 'store-newer',
		says: /gateway\.db was written by a newer version \(format 999;/,
	},
	'a text file instead of a hold': {
		damage: (_file, folder) => fs.writeFileSync(path.join(folder, 'gateway.hold'), 'hello '.repeat(1000)),
		says: /gateway\.hold is damaged/,
	},
};

/** Creates the data folder of a gateway that has run an agent and ended. */
async function createUsedDataFolder(): Promise<string> {
	const gateway = await startGateway({ agents: { greeter: createGreetingAgent() } });
	const body = { model: 'greeter', inputs: { name: 'Ana' }, user: 'ana', response_mode: 'blocking' };
	assert.equal((await gateway.send('POST', '/v1/agent/workflows/run', body)).status, 200);
	assert.equal(await gateway.endProcess(), 0);
	const kept = fs.mkdtempSync(path.join(os.tmpdir(), 'damaged-store-'));
	fs.cpSync(gateway.data, kept, { recursive: true });
	return kept;
}

describe('a damaged store', () => {
	let written: string;
	before(async () => {
		written = await createUsedDataFolder();
	});
	afterEach(cleanUpGateways);
	after(() => fs.rmSync(written, { recursive: true }));

	/** Returns a copy of a data folder with one run, as its gateway left it. */
	function copyUsedDataFolder(): string {
		const data = createTemporaryFolder();
		fs.cpSync(written, data, { recursive: true });
		return data;
	}

	for (const [name, { damage, reason = 'store-damaged', says }] of Object.entries(damages)) {
		it(`is refused with a one-line message, code 4 and a reason, and is set aside if requested: ${name}`, async () => {
			const data = copyUsedDataFolder();
			damage(path.join(data, 'gateway.db'), data);
			const { code, stdout, stderr } = await runGateway(['--data', data, '--log', 'json', '--ready-json']);
			const lines = stderr.trim().split('\n');
			assert.deepEqual([code, stdout, lines.length], [4, '', 2], stderr);
			const line = JSON.parse(lines[0] ?? '');
			assert.deepEqual([line.level, line.reason, line.can_set_aside, line.message], ['error', reason, true, lines[1]]);
			assert.ok(path.isAbsolute(line.file));
			assert.match(line.message, says);
			assert.match(line.message, /--set-aside-store/);

			const fresh = await startGateway({ data, agents: { greeter: createGreetingAgent() }, flags: ['--set-aside-store'] });
			const aside = fs.readdirSync(data).filter(each => each.startsWith('set-aside-'));
			assert.equal(aside.length, 1);
			assert.ok(fs.readdirSync(path.join(data, aside[0] ?? '')).includes(path.basename(line.file)), 'nothing is deleted');
			const body = { model: 'greeter', inputs: { name: 'Bo' }, user: 'ana', response_mode: 'blocking' };
			assert.equal((await fresh.send('POST', '/v1/agent/workflows/run', body)).status, 200);
			assert.equal(await fresh.endProcess(), 0);
		});
	}

	it("isn't set aside if it is intact, even with the flag", async () => {
		const data = copyUsedDataFolder();
		const gateway = await startGateway({ data, flags: ['--set-aside-store'] });
		assert.equal((await gateway.send('GET', '/v1/agent/workflows/logs?model=greeter')).json.total, 1);
		assert.deepEqual(
			fs.readdirSync(data).filter(each => each.startsWith('set-aside-')),
			[],
		);
	});

	it('is repaired without a message if only its search index is damaged', async () => {
		const data = copyUsedDataFolder();
		fs.writeFileSync(path.join(data, 'gateway.search.db'), 'hello '.repeat(1000));
		const gateway = await startGateway({ data, agents: { greeter: createGreetingAgent() } });
		const body = { model: 'greeter', inputs: { name: 'Bo' }, user: 'ana', response_mode: 'blocking' };
		assert.equal((await gateway.send('POST', '/v1/agent/workflows/run', body)).status, 200);
		const searchRuns = async () => (await gateway.send('GET', '/v1/agent/workflows/logs?model=greeter&keyword=Hello')).json;
		while ((await searchRuns()).total !== 2) {
			await new Promise(resolve => setTimeout(resolve, 50));
		}
	});

	it('is refused if a file takes the place of a parent folder', async () => {
		const file = path.join(createTemporaryFolder(), 'data');
		fs.writeFileSync(file, '');
		assert.equal((await runGateway(['--data', file])).code, 2);
	});
});
