import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createAgentsFolder, createTemporaryFolder, startGateway } from '../../contract/gateway/gatewayProcess.ts';
import { createTemplateChain } from '../engine/agents.ts';
import { computeQuantile, measureWallMs } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';

const files = 3_000;

/**
 * Lists the agents of a large folder for the first time after the start, with a data folder in which a gateway ran before. The floor reads
 * all files.
 */
export const agentFolder: Measure = {
	name: 'agent-folder',
	measure: `first list of ${files} agent files after a start, over reading the files; health checks meanwhile, p99 over idle`,
	unit: '×',
	costUnit: 'ms',
	limits: { 'reading the files': { most: 2 }, 'others held up': { most: 20, unit: 'ms' } },
	async run(inRounds) {
		const text = createTemplateChain(3);
		const folder = createAgentsFolder(
			Object.fromEntries(Array.from({ length: files }, (_, i) => [`agent-${i}`, text.replace('name:', `# ${i}\nname:`)])),
		);
		const data = createTemporaryFolder();
		return inRounds({ warmUp: 1, rounds: 3 }, async () => {
			const gateway = await startGateway({ data, flags: ['--agents', folder] });
			try {
				const reading = await measureWallMs(() => readFolder(folder));
				const times: number[] = [];
				let listed = 0;
				const list = measureWallMs(async () => {
					listed = (await gateway.send('GET', '/v1/agent/agents')).json.data.length;
				});
				let ended = false;
				void list.finally(() => {
					ended = true;
				});
				while (!ended) {
					times.push(await measureHealthCheck(gateway.baseUrl));
					await delay(5);
				}
				const costs = { list: await list, reading };
				if (listed !== files) {
					throw new Error(`${listed} agents are listed`);
				}
				const idle: number[] = [];
				for (let i = 0; i < 200; i++) {
					idle.push(await measureHealthCheck(gateway.baseUrl));
				}
				const heldUp = computeQuantile(times, 0.99) - computeQuantile(idle, 0.99);
				return { values: { 'reading the files': costs.list / costs.reading, 'others held up': heldUp }, costs };
			} finally {
				await gateway.endProcess();
			}
		});
	},
};

async function readFolder(folder: string): Promise<void> {
	const names = await readdir(folder);
	for (let i = 0; i < names.length; i += 16) {
		await Promise.all(names.slice(i, i + 16).map(name => readFile(path.join(folder, name), 'utf8')));
	}
}

function measureHealthCheck(baseUrl: string): Promise<number> {
	return measureWallMs(async () => (await fetch(new URL('/healthz', baseUrl))).arrayBuffer());
}
