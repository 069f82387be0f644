// npm run soak -- --minutes N [--users N] [--no-window]: runs mixed traffic against a separate gateway. At the same time a user in a window
// runs agents, inspects runs, reads logs and chats, round after round. Compares the first tenth (after a warm-up of a tenth) with the last
// one and prints the result: memory and open handles of the gateways, the extension host and the page, bytes stored per request, and
// latency. Exits with code 1 if one of these has grown.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { cleanUpGateways, createTemporaryFolder } from '../contract/gateway/gatewayProcess.ts';
import { runGatewaySoak } from './gateway.ts';
import { runWindowSoak } from './window.ts';

const { values } = parseArgs({
	allowNegative: true,
	options: {
		minutes: { type: 'string', default: '60' },
		users: { type: 'string', default: '6' },
		window: { type: 'boolean', default: true },
	},
});
const durationMs = Number(values.minutes) * 60_000;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	// a canceled soak leaves no gateway behind
	process.once(signal, () => void cleanUpGateways().finally(() => process.exit(130)));
}
const folder = createTemporaryFolder();
const createMetricsFile = (name: string): string => {
	const file = path.join(folder, `${name}.jsonl`);
	fs.writeFileSync(file, '');
	return file;
};
process.env['SOAK_FIGURES'] = createMetricsFile('gateway');
const probe = path.join(import.meta.dirname, 'probe.mjs');
process.env['NODE_OPTIONS'] = `--import ${pathToFileURL(probe)}`;

const outcomes = await Promise.all([
	runGatewaySoak(durationMs, Number(values.users), process.env['SOAK_FIGURES']),
	...(values.window ? [runWindowSoak(durationMs, createMetricsFile('window'), probe)] : []),
]);
for (const { what, table, failures } of outcomes) {
	console.log(`\n${what} in ${values.minutes} minutes, ${failures.length} failed`);
	console.log(table.rows.join('\n'));
	for (const failure of new Set(failures)) {
		console.log(`failed: ${failure}`);
	}
}
process.exitCode = outcomes.every(({ table, failures }) => table.ok && failures.length === 0) ? 0 : 1;
await cleanUpGateways();
