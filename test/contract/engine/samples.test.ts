import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { cleanUp, type GatewayProcess, startGateway } from '../gateway/gatewayProcess.ts';

const samples = path.resolve(import.meta.dirname, '../../../samples');

describe('sample agents on the gateway as it is shipped', () => {
	let gateway: GatewayProcess;

	before(async () => {
		const files = fs.readdirSync(path.join(samples, 'agents'));
		gateway = await startGateway({
			agents: Object.fromEntries(files.map(file => [path.parse(file).name, fs.readFileSync(path.join(samples, 'agents', file), 'utf8')])),
		});
	});
	after(cleanUp);

	for (const file of fs.readdirSync(path.join(samples, 'runs')).filter(name => name.endsWith('.run.json'))) {
		it(`run ${file}`, async () => {
			const request = JSON.parse(fs.readFileSync(path.join(samples, 'runs', file), 'utf8'));
			for (const [name, value] of Object.entries(request.inputs as Record<string, { $file?: string }>)) {
				request.inputs[name] = value.$file ? fs.readFileSync(path.join(samples, 'runs', value.$file), 'utf8') : value;
			}
			const events = await (await gateway.stream('/v1/agent/workflows/run', request)).rest();
			const last = events.at(-1);
			assert.equal(last?.event, 'workflow_finished', JSON.stringify(last));
			assert.deepEqual([last?.['data'].status, last?.['data'].error], ['succeeded', null]);
			assert.ok(events.some(({ event }) => event === 'text_chunk'));
		});
	}
});
