import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../scripts/lib/paths.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';
import type { Tree } from './tree.ts';
import type { Workbench } from './workbench.ts';

const key = 'a-key-of-this-test-alone';

/** A gateway in a separate process with a long log of the agent `summarize`. */
export class ManyRunsLog {
	readonly #folder = makeTempFolder();
	#gateway: ChildProcess | undefined;
	#baseUrl = '';

	/**
	 * Writes the runs, one every `secondsApart` seconds up to now, and the requested number of runs of other agents. Then starts the
	 * gateway.
	 */
	async start(runs: number, secondsApart = 1, others: Readonly<Record<string, number>> = {}): Promise<void> {
		const folder = this.#folder;
		for (const [agent, count] of Object.entries({ summarize: runs, ...others })) {
			const program = path.join(root, 'test/host/support/writeRuns.ts');
			await promisify(execFile)(process.execPath, [program, folder, agent, String(count), String(secondsApart)]);
		}
		fs.writeFileSync(path.join(folder, 'api.key'), key, { mode: 0o600 });
		const flags = ['--data', folder, '--agents', path.join(root, 'samples/agents'), '--api-key-file', path.join(folder, 'api.key')];
		this.#gateway = spawn(process.execPath, [path.join(root, 'dist/gateway.js'), ...flags, '--ready-json'], {
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		const [line] = (await once(this.#gateway.stdout!, 'data')) as [Buffer];
		this.#baseUrl = (JSON.parse(line.toString()) as { base_url: string }).base_url;
	}

	/** Connects a window to the gateway as a user does, and expands the tree down to the row Logs. */
	async showLog(workbench: Workbench): Promise<Tree> {
		const { quickInput } = workbench;
		await workbench.showContainer('Agent Workbench');
		const agents = workbench.getTree('Agents');
		await workbench.runCommand('Agent Workbench: Add Connection…');
		await quickInput.pickOption('Gateway');
		await quickInput.widget.getByText('Base URL of the service').waitFor();
		await quickInput.enterText(this.#baseUrl);
		await quickInput.widget.getByText('Name of the connection').waitFor();
		await quickInput.enterText('Many');
		await quickInput.pickOption('Same key for all');
		await quickInput.widget.getByText('Saved in the system keyring.').waitFor();
		await quickInput.enterText(key);
		await workbench.getNotification('Key accepted').waitFor();
		await agents.expandRows('Many');
		await agents.expandRows('summarize');
		await agents.getRow('Logs').waitFor();
		return agents;
	}

	/** Stops the gateway and deletes its folder. */
	async stop(): Promise<void> {
		if (this.#gateway) {
			this.#gateway.kill('SIGTERM');
			await once(this.#gateway, 'close');
		}
		removeFolder(this.#folder);
	}
}

/** Expands the row Logs. Returns milliseconds from the click to the frame that shows the first run. */
export async function expandLogsRow({ page }: Workbench, agents: Tree): Promise<number> {
	const logs = agents.getRow('Logs');
	const first = Number(await logs.getAttribute('data-index')) + 1;
	const shown = page.evaluate(measureClickDelay, { index: first, untilFocused: false });
	await logs.locator('.monaco-tl-twistie').click();
	return (await shown).rows;
}

/**
 * Clicks "Load more". Returns the milliseconds from the click to the frame that shows a run in its place, and to the frame in which that
 * run has the focus.
 */
export async function loadMoreRuns({ page }: Workbench, agents: Tree): Promise<{ readonly rows: number; readonly focus: number }> {
	await agents.getRow('Logs').or(agents.getRow('Load more')).first().waitFor();
	await page.keyboard.press('End');
	const more = agents.getRow('Load more');
	await more.waitFor();
	const index = Number(await more.getAttribute('data-index'));
	// clicks no faster than a person, because VS Code delays changes within 200 ms of another
	await page.waitForTimeout(250);
	const shown = page.evaluate(measureClickDelay, { index, untilFocused: true });
	await more.click();
	return shown;
}

/**
 * Returns milliseconds from the next click to the frame that shows a log entry at this index, and to the frame in which it has the focus.
 * Runs in the page.
 */
function measureClickDelay({
	index,
	untilFocused,
}: {
	readonly index: number;
	readonly untilFocused: boolean;
}): Promise<{ readonly rows: number; readonly focus: number }> {
	return new Promise(resolve => {
		const onClick = (): void => {
			const start = performance.now();
			let rows: number | undefined;
			const checkFrame = (): void => {
				const row = document.querySelector(`.part.sidebar .monaco-list-row[data-index="${index}"]`);
				if (/\d:\d\d/.test(row?.textContent ?? '')) {
					rows ??= performance.now() - start;
					if (!untilFocused || row?.classList.contains('focused')) {
						resolve({ rows, focus: performance.now() - start });
						return;
					}
				}
				requestAnimationFrame(checkFrame);
			};
			checkFrame();
		};
		document.addEventListener('click', onClick, { once: true, capture: true });
	});
}
