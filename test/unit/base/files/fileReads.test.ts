import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../../scripts/lib/paths.ts';

/**
 * Modules that read paths, and the origin of their paths. Paths in workspace files are resolved by `resolveInside` (src/base/files)
 * instead.
 */
const reasons: Readonly<Record<string, readonly string[]>> = {
	'files of the extension': [
		'agentFile/checks/loadAgentSchema.ts',
		'editor/agents/files/skeletons.ts',
		'editor/chat/transcripts/shownChat.ts',
		'cli/assets.ts',
		'editor/debugger/agentDebugging.ts',
		'editor/runs/files/runFileService.ts',
	],
	'files in the storage or data folder': [
		'editor/chat/transcripts/transcriptStore.ts',
		'cli/batches/resultFolder.ts',
		'base/files/atomicFiles.ts',
		'base/files/createFile.ts',
		'base/files/windowClaims.ts',
		'base/files/windowFile.ts',
		'base/files/windowPresence.ts',
		'client/localGateway/gatewayKey.ts',
		'client/localGateway/gatewayLock.ts',
		'editor/connections/gateway/gatewayProcess.ts',
		'dify/files/baseTexts.ts',
		'dify/files/folderBackups.ts',
		'editor/support/reportIssue.ts',
		'editor/support/storedData.ts',
		'runs/history/eventJournals.ts',
		'runs/history/journalLines.ts',
		'runs/history/runRecordFiles.ts',
		'editor/runs/following/runAudio.ts',
		'runs/following/runLeftovers.ts',
		'suites/results/resultJournal.ts',
		'editor/suites/batches/resultStore.ts',
		'editor/suites/results/batchHeads.ts',
		'editor/suites/results/resultIndex.ts',
		'editor/suites/results/resultSearch.ts',
	],
	'the user names the file: command line, dialog or setting': [
		'cli/batches/baselines.ts',
		'cli/commands/check.ts',
		'cli/commands/runRequest.ts',
		'cli/commands/dify/tokenFile.ts',
		'cli/commands/serve.ts',
		'cli/foundFiles.ts',
		'cli/readFailure.ts',
		'cli/reports/reportFile.ts',
		'cli/service/ownGateway.ts',
		'cli/service/requestParts.ts',
		'editor/connections/keys/importKey.ts',
	],
	'an agent file that the service lists or the editor shows': [
		'cli/reports/coverageReport.ts',
		'editor/debugger/debugLauncher.ts',
		'editor/dify/apps/fileTexts.ts',
		'dify/files/appFile.ts',
		'editor/agents/graph/agentImage.ts',
		'editor/runs/files/agentNodes.ts',
		'suites/reading/readContext.ts',
		'suites/variants/prepareVariants.ts',
		'editor/suites/editing/suiteCompletion.ts',
	],
	'a path that was resolved before, or a file beside one': [
		'base/files/appendLine.ts',
		'editor/connections/gateway/agentFolders.ts',
		'base/files/contentHash.ts',
		'base/files/fileLock.ts',
		'base/files/renameFile.ts',
		'base/files/replaceFile.ts',
		'cli/service/openCommandRecording.ts',
		'editor/runs/files/editing/runFileHover.ts',
		'editor/runs/recordings/fileRecordings.ts',
		'editor/suites/suiteTesting.ts',
		'runs/recordings/recordingFile.ts',
		'suites/results/snapshots.ts',
	],
	'folders of documents that the configuration names': ['base/files/folderScan.ts'],
	'a result file in the storage folder, or a baseline named by the user': ['base/files/readLines.ts'],
	'whether two paths are one file': ['base/files/sameFile.ts'],
	'only the size of a dataset that was resolved before': ['cli/reports/consoleReport.ts'],
};

describe('modules that read files by path', () => {
	const sources = path.join(root, 'src');
	const reading = fs
		.globSync('**/*.ts', { cwd: sources })
		.map(file => file.replaceAll(path.sep, '/'))
		.filter(file => !['gateway', 'engine', 'models'].includes(file.split('/')[0] ?? ''))
		.filter(file => /from 'node:fs(?:\/promises)?'/.test(fs.readFileSync(path.join(sources, file), 'utf8')));

	it('resolve the path with resolveInside, or are listed with a reason', () => {
		const excused = Object.values(reasons).flat();
		const resolving = reading.filter(file =>
			/\b(?:resolveInside(?:ToWrite)?|findFilesInScope)\(/.test(fs.readFileSync(path.join(sources, file), 'utf8')),
		);
		assert.deepEqual(
			reading.filter(file => !excused.includes(file) && !resolving.includes(file)),
			[],
		);
		assert.deepEqual(
			excused.filter(file => !reading.includes(file)),
			[],
		);
	});
});
