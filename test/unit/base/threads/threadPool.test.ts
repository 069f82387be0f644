import assert from 'node:assert/strict';
import { ThreadPool } from '#base/threads/threadPool.ts';
import { taskThreadFile } from '#engine/threads/taskThreadFile.ts';
import { createPackedPdf } from '../../engine/documents/documentFiles.ts';

const endless = { text: '{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}', values: {} };
const short = { text: 'Hello {{ name }}', values: { name: 'Ana' } };
const never = new AbortController().signal;

describe('the thread pool', () => {
	let pool: ThreadPool;
	const createPool = (limits: Partial<ConstructorParameters<typeof ThreadPool>[1]> = {}) => {
		pool = new ThreadPool(taskThreadFile, { maxThreads: 1, timeoutMs: 200, memoryMb: 64, ...limits });
		return pool;
	};
	afterEach(() => pool.close());

	it('runs a task, and rejects with the error that it throws', async () => {
		createPool({ timeoutMs: 20_000 });
		assert.equal(await pool.run('template', short, never), 'Hello Ana');
		await assert.rejects(pool.run('template', { text: '{% if %}', values: {} }, never), { name: 'Error' });
		await assert.rejects(pool.run('template', { text: '', values: { f: () => {} } }, never), { name: 'DataCloneError' });
		assert.equal(await pool.run('template', short, never), 'Hello Ana');
	});

	it('stops a task that exceeds its time limit, and continues with the next', async () => {
		createPool();
		const [first, second] = await Promise.allSettled([pool.run('template', endless, never), pool.run('template', short, never)]);
		assert.deepEqual(
			[first.status === 'rejected' && first.reason.name, first.status === 'rejected' && first.reason.reason],
			['ThreadFault', 'time'],
		);
		assert.deepEqual(second, { status: 'fulfilled', value: 'Hello Ana' });
	});

	it('stops a task that exceeds its memory limit', async () => {
		createPool({ timeoutMs: 20_000 });
		const text =
			"{% set ns = namespace(l=[[]]) %}{% for i in range(60) %}{% set ns.l = [ns.l | string ~ 'x' * 400000] %}{% for j in range(999) %}{% set ns.l = ns.l + ['x' * 400000 ~ j] %}{% endfor %}{% endfor %}";
		await assert.rejects(pool.run('template', { text, values: {} }, never), { name: 'ThreadFault', reason: 'memory' });
		assert.equal(await pool.run('template', short, never), 'Hello Ana');
	});

	it("stops a task whose buffers exceed its memory limit, which the heap size doesn't include", async () => {
		createPool({ timeoutMs: 60_000, memoryMb: 32 });
		const bytes = createPackedPdf(Buffer.alloc(200 * 1024 * 1024, 32));
		await assert.rejects(pool.run('document', { name: 'a.pdf', mimeType: '', bytes }, never), { name: 'ThreadFault', reason: 'memory' });
		assert.equal(await pool.run('template', short, never), 'Hello Ana');
	});

	it('stops an aborted task, even before it starts', async () => {
		createPool({ timeoutMs: 20_000 });
		const stop = new AbortController();
		const active = pool.run('template', endless, stop.signal);
		const waiting = pool.run('template', endless, stop.signal);
		const after = pool.run('template', short, never);
		stop.abort(new Error('stopped'));
		await assert.rejects(active, /stopped/);
		await assert.rejects(waiting, /stopped/);
		assert.equal(await after, 'Hello Ana');
	});

	it('rejects active and new tasks when it is closed', async () => {
		createPool({ timeoutMs: 20_000 });
		const active = pool.run('template', endless, never);
		const closed = pool.close();
		await assert.rejects(active, { reason: 'closed' });
		await closed;
		await assert.rejects(pool.run('template', short, never), { reason: 'closed' });
	});
});
