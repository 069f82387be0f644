import assert from 'node:assert/strict';
import { ReactReply } from '#engine/agent/reactReply.ts';
import { repairJson } from '#engine/variables/repairJson.ts';

/** Text whose repair takes cubic time. */
const hostile = '[a\u201c"http://'.repeat(2_900);

describe('JSON that is repaired', () => {
	it('may be incomplete, and have comments and other quotes', () => {
		assert.deepEqual(repairJson(`{'a': [1, 2, /* more */ "x`), { a: [1, 2, 'x'] });
	});

	it('is given up if the repair takes too long', () => {
		const began = process.cpuUsage();
		assert.throws(() => repairJson(hostile));
		assert.ok(process.cpuUsage(began).user < 1_000_000);
	});

	it('is given up in an agent reply with many candidates', () => {
		const reply = new ReactReply();
		const began = process.cpuUsage();
		reply.push(`I think.${'\n["a'.repeat(400)}${hostile.slice(0, 30_000)}`);
		assert.equal(reply.endReply().action, undefined);
		assert.ok(process.cpuUsage(began).user < 1_500_000);
	});
});
