import assert from 'node:assert/strict';
import { CodeRunner } from '#engine/code/codeRunner.ts';
import { builtInTools } from '#engine/tools/builtInTools.ts';
import type { ToolContext } from '#engine/tools/engineTool.ts';

const time = Date.UTC(2026, 10, 23, 10);
const { signal } = new AbortController();

describe('the fixed time and seed of a run', () => {
	const runner = new CodeRunner();
	after(() => runner.close());
	const program = `const main = () => ({ now: Date.now(), year: new Date().getFullYear(), given: new Date(5).getTime(),
		same: new Date() instanceof Date, text: typeof Date(), random: [Math.random(), Math.random()] });`;

	it('are what JavaScript sees, in every call', async () => {
		const first = (await runner.run(program, {}, signal, { time, seed: 7 })) as Record<string, unknown>;
		assert.deepEqual({ ...first, random: undefined }, { now: time, year: 2026, given: 5, same: true, text: 'string', random: undefined });
		assert.deepEqual(await runner.run(program, {}, signal, { time, seed: 7 }), first);
		const other = (await runner.run(program, {}, signal, { time, seed: 8 })) as Record<string, unknown>;
		assert.notDeepEqual(other['random'], first['random']);
	});

	it('are real in a call without them', async () => {
		await runner.run(program, {}, signal, { time, seed: 7 });
		const { now } = (await runner.run(program, {}, signal)) as { readonly now: number };
		assert.ok(Math.abs(now - Date.now()) < 60_000);
	});

	it('are what time tools see', async () => {
		const context = { services: { fixed: { time, seed: 7 } } } as ToolContext;
		assert.equal((await builtInTools.get('current_time')!.use({}, context)).text, '2026-11-23 10:00:00');
		assert.equal((await builtInTools.get('current_timestamp')!.use({}, context)).text, String(time / 1000));
	});
});
