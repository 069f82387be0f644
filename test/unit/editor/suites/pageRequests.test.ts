import assert from 'node:assert/strict';
import { PageRequests } from '#editor/suites/pageRequests.ts';

describe('the requests of a page', () => {
	for (const [name, act] of [
		['rejects', () => Promise.reject(new Error('no file'))],
		[
			'throws',
			() => {
				throw new Error('no file');
			},
		],
	] as const) {
		it(`are still handled after one that ${name} and whose error can't be shown`, async () => {
			const logged: string[] = [];
			const requests = new PageRequests({
				name: 'Page',
				log: { warn: (text: string) => logged.push(text) },
				showProblem: () => Promise.reject(new Error('no state')),
			});
			await requests.enqueue(act);
			let isHandled = false;
			await requests.enqueue(async () => {
				isHandled = true;
			});
			assert.ok(isHandled);
			assert.equal(logged[0], 'Page: no file');
		});
	}
});
