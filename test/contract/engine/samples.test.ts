import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../gateway/gatewayProcess.ts';

const samples = path.resolve(import.meta.dirname, '../../../samples');

type Ending = readonly [event: string, status: string, error: RegExp];
const succeeded: Ending = ['workflow_finished', 'succeeded', /^$/];
const endings: Readonly<Record<string, Ending>> = {
	'approve-notice.run.json': ['workflow_paused', 'paused', /^$/],
	'fails-on-purpose.run.json': ['workflow_finished', 'failed', /^Error: Line 3 of the levels is "about 1\.4"/],
};

describe('sample agents on the shipped gateway', () => {
	let gateway: GatewayProcess;

	before(async () => {
		const files = fs.readdirSync(path.join(samples, 'agents'));
		gateway = await startGateway({
			agents: Object.fromEntries(files.map(file => [path.parse(file).name, fs.readFileSync(path.join(samples, 'agents', file), 'utf8')])),
			config: { knowledge: { handbook: { folder: path.join(samples, 'handbook') } } },
		});
	});
	after(cleanUpGateways);

	for (const file of fs.readdirSync(path.join(samples, 'runs')).filter(name => name.endsWith('.run.json'))) {
		it(`runs ${file}`, async () => {
			const request = JSON.parse(fs.readFileSync(path.join(samples, 'runs', file), 'utf8'));
			for (const [name, value] of Object.entries(request.inputs as Record<string, { $file?: string }>)) {
				request.inputs[name] = value.$file ? fs.readFileSync(path.join(samples, 'runs', value.$file), 'utf8') : value;
			}
			const events = await (await gateway.openStream('/v1/agent/workflows/run', request)).readRemainingEvents();
			const last = events.at(-1);
			const [event, status, error] = endings[file] ?? succeeded;
			assert.equal(last?.event, event, JSON.stringify(last));
			assert.equal(last?.['data'].status, status);
			assert.match(String(last?.['data'].error ?? ''), error);
			assert.equal(
				events.some(each => each.event === 'text_chunk'),
				status === 'succeeded',
			);
		});
	}
});
