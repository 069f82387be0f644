// Runs the host tests (dist/test/host) with mocha in a real extension host and requires a result: VS Code reports exit code 0 even if its
// extension host has crashed.
import fs from 'node:fs';
import path from 'node:path';
import { pickEditor } from './editor.ts';
import type { HostRun } from './hostRun.ts';
import { runTestsInDesktop } from './hostTestsInDesktop.ts';
import { runTestsInWorkbench } from './hostTestsInWorkbench.ts';
import { packageFile, root } from './paths.ts';
import { makeTempFolder, removeFolder } from './tempFolder.ts';

/** Which extension is tested: the checkout's or the packaged one. */
export type Subject = 'checkout' | 'package';

/** Mocha's counts from the extension host. */
export interface HostResult {
	passes: number;
	failures: number;
}

/**
 * Runs the tests in the VS Code that VSCODE_HOST selects, with mocha's output on stdout. GREP filters tests by name.
 * @param part `main` or `rest`: only the files of this part (restFiles.ts)
 * @throws if the extension host exited without a result
 */
export async function runHostTests(subject: Subject, part?: string): Promise<HostResult> {
	const grep = process.env['GREP'];
	const editor = await pickEditor();
	const folder = makeTempFolder();
	const resultFile = path.join(folder, 'result.json');
	const run: HostRun = {
		folder,
		workspace: makeWorkspace(folder),
		tests: path.join(root, 'dist/test/host/index.cjs'),
		development: path.join(root, 'test/host/emptyExtension'),
		...(subject === 'package' ? { extensions: [], packages: [packageFile] } : { extensions: [root], packages: [] }),
		environment: {
			AGENT_WORKBENCH_TEST_RESULT: resultFile,
			AGENT_WORKBENCH_TEST_SUBJECT: subject,
			...(grep ? { AGENT_WORKBENCH_TEST_GREP: grep } : {}),
			...(part ? { AGENT_WORKBENCH_TEST_PART: part } : {}),
		},
	};
	try {
		const lastLines = editor.kind === 'desktop' ? await runTestsInDesktop(editor, run) : await runTestsInWorkbench(run);
		if (!fs.existsSync(resultFile)) {
			throw new Error(['The extension host ended without a result of its tests', ...lastLines].join('\n'));
		}
		return JSON.parse(fs.readFileSync(resultFile, 'utf8')) as HostResult;
	} finally {
		removeFolder(folder);
	}
}

/** Copies the sample workspace, so that tests don't modify the repository. */
function makeWorkspace(folder: string): string {
	const workspace = path.join(folder, 'workspace');
	fs.cpSync(path.join(root, 'samples'), workspace, { recursive: true });
	return workspace;
}
