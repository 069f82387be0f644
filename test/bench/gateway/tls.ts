import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { testCertificate } from '../../unit/client/testCertificate.ts';
import { runContest } from '../harness/contest.ts';
import { runNode } from '../harness/processes.ts';
import type { Measure } from '../harness/table.ts';

/**
 * Compares the gateway's upstream connections with undici's, which use one secure context. Both read the same certificates within the
 * measured time.
 */
export const tlsConnections: Measure = {
	name: 'tls-connections',
	measure: '20 TLS connections opened at once: longest block of the event loop, over undici with one shared secure context',
	unit: '×',
	costUnit: 'ms',
	limits: { undici: { most: 2 } },
	async run(inRounds) {
		const server = https.createServer(testCertificate, (_request, response) => response.end('{}'));
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
		const measureLongestBlock = (contender: string) => () =>
			runNode<number>([path.join(import.meta.dirname, 'tlsProcess.ts'), contender, origin]);
		try {
			return await inRounds({ warmUp: 1, rounds: 7 }, async () => {
				const costs = await runContest({ gateway: measureLongestBlock('upstreams'), undici: measureLongestBlock('undici') });
				return { values: { undici: costs.gateway / costs.undici }, costs };
			});
		} finally {
			server.closeAllConnections();
			server.close();
		}
	},
};
