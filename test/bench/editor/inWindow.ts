import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { runInWorkbench } from '../../../scripts/lib/hostTestsInWorkbench.ts';
import { root } from '../../../scripts/lib/paths.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';

/** What test/bench/editor/inHost.ts measures in one window. */
export interface WindowFigures {
	/** Milliseconds from the start of loading the extension's code to the end of activate(). */
	readonly activationMs: number;
	/** Milliseconds from the write to the socket to the append to the output channel, one a node event. */
	readonly eventMs: readonly number[];
	/** Node events that were sent, and those that came to the channel. */
	readonly sent: number;
	readonly shown: number;
}

/** What is left of chat and inspector (test/bench/editor/heapInHost.ts). */
export interface HeapFigures {
	/** Bytes that the heap has grown by over all rounds. */
	readonly grownBytes: number;
	/** Instances that are still reachable, by class. */
	readonly left: Readonly<Record<string, number>>;
}

/** What can be measured in a window, each with its figures. */
interface Measured {
	readonly activation: WindowFigures;
	readonly events: WindowFigures;
	readonly heap: HeapFigures;
}

/** Opens a window of VS Code on the sample workspace, with the extension as it was built last, and measures in its extension host. */
export async function measureInWindow<W extends keyof Measured>(what: W): Promise<Measured[W]> {
	const folder = makeTempFolder();
	const result = path.join(folder, 'figures.json');
	const tests = path.join(folder, 'inHost.cjs');
	const workspace = path.join(folder, 'workspace');
	try {
		fs.cpSync(path.join(root, 'samples'), workspace, { recursive: true });
		await build({
			entryPoints: [path.join(root, 'test/bench/editor/inHost.ts')],
			outfile: tests,
			bundle: true,
			platform: 'node',
			format: 'cjs',
			mainFields: ['module', 'main'],
			external: ['vscode'],
			supported: { 'dynamic-import': false },
			logLevel: 'error',
		});
		await runInWorkbench({
			folder,
			workspace,
			tests,
			development: path.join(root, 'test/vsix/emptyExtension'),
			extensions: [root],
			packages: [],
			environment: { AGENT_WORKBENCH_BENCH_RESULT: result, AGENT_WORKBENCH_BENCH: what },
		});
		return JSON.parse(fs.readFileSync(result, 'utf8')) as Measured[W];
	} finally {
		removeFolder(folder);
	}
}
