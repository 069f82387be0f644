import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { hashContent } from '#base/files/contentHash.ts';
import { JudgeLabels } from '#suites/judges/judgeLabels.ts';
import { SuiteFixture } from '../results/suiteFixture.ts';

/** Adds labels with long texts until it's killed, and prints the number of each one that was written. */
const program = `
const [module, hashes, file, root, by] = process.argv.slice(1);
const [{ appendLabel }, { hashContent }] = [await import(module), await import(hashes)];
for (let at = 0; ; at++) {
	const output = hashContent([by, at]);
	await appendLabel({ file, root }, { case: 'c', output, check: 'j', label: 'pass', text: 'x'.repeat(50_000), by, at: '2026-11-27T10:00:00Z' });
	console.log(at);
}`;

describe('labels of several processes', () => {
	it('are all kept, also if the processes are killed while they write', async () => {
		const fixture = new SuiteFixture();
		const file = fixture.writeFile('one.suite.json', '{}');
		const [module, hashes] = ['suites/judges/judgeLabels.ts', 'base/files/contentHash.ts'].map(
			name => new URL(`../../../../src/${name}`, import.meta.url).href,
		) as [string, string];
		const written = new Map<string, number>();
		const processes: ChildProcess[] = ['ana', 'ben', 'eva'].map(by => {
			const child = spawn(process.execPath, ['--input-type=module', '-e', program, module, hashes, file, fixture.folder, by], {
				stdio: ['ignore', 'pipe', 'inherit'],
			});
			createInterface({ input: child.stdout! }).on('line', line => {
				written.set(by, Number(line) + 1);
				// kills each one in the middle of another label
				if (Number(line) === 30) {
					child.kill('SIGKILL');
				}
			});
			return child;
		});
		try {
			await Promise.all(processes.map(child => once(child, 'close')));
			const labels = await JudgeLabels.readLabels({ file, root: fixture.folder });
			for (const [by, count] of written) {
				assert.ok(count > 30, by);
				for (let at = 0; at < count; at++) {
					assert.equal(labels.getOwnLabel('j', hashContent([by, at]), by)?.text?.length, 50_000, `${by} ${at}`);
				}
			}
			assert.equal(written.size, 3);
		} finally {
			await fixture.close();
		}
	}).timeout(60_000);
});
