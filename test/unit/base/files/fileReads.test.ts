import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../../scripts/lib/paths.ts';

/** Reads by paths that no workspace file names, and why. A path that one names goes through `resolveInside` (src/files). */
const reasons: Readonly<Record<string, readonly string[]>> = {
	'files of the extension': [
		'agentFiles/editing/agentSchema.ts',
		'agentFiles/skeletons.ts',
		'chat/transcripts/shownChat.ts',
		'cli/assets.ts',
		'debugging/agentDebugging.ts',
		'runFiles/runFileService.ts',
	],
	'files of its own storage or data folder': [
		'chat/transcripts/transcriptStore.ts',
		'cli/batches/resultFolder.ts',
		'common/windows/wholeFiles.ts',
		'common/windows/windowClaims.ts',
		'common/windows/windowFile.ts',
		'common/windows/windowPresence.ts',
		'connections/gateway/gatewayKey.ts',
		'connections/gateway/gatewayLock.ts',
		'connections/gateway/gatewayProcess.ts',
		'difySync/files/folderBackups.ts',
		'runs/history/eventJournals.ts',
		'runs/history/journalLines.ts',
		'runs/history/runRecordFiles.ts',
		'runs/runAudio.ts',
		'runs/runLeftovers.ts',
		'suites/results/resultFile.ts',
		'suites/results/resultJournal.ts',
		'testing/batches/resultStore.ts',
		'testing/results/batchHeads.ts',
		'testing/results/exportResults.ts',
		'testing/results/resultIndex.ts',
		'testing/results/resultSearch.ts',
	],
	'the user names the file: command line, dialog or setting': [
		'cli/batches/baselines.ts',
		'cli/commands/check.ts',
		'cli/commands/run.ts',
		'cli/commands/serve.ts',
		'cli/commands/test.ts',
		'cli/foundFiles.ts',
		'cli/reports/reportFile.ts',
		'cli/service/ownGateway.ts',
		'cli/service/serviceOptions.ts',
		'connections/keys/importKey.ts',
		'logs/exportLogs.ts',
	],
	'an agent file that the service lists or the editor shows': [
		'cli/batches/agentTexts.ts',
		'cli/reports/coverageReport.ts',
		'debugging/debugLauncher.ts',
		'dify/apps/fileTexts.ts',
		'difySync/files/appFile.ts',
		'difySync/files/wholeFile.ts',
		'graph/export/agentImage.ts',
		'runFiles/agentNodes.ts',
		'suites/reading/readContext.ts',
		'testing/editing/suiteCompletion.ts',
	],
	'a path that was resolved before, or a file beside one': [
		'connections/gateway/agentFolders.ts',
		'files/contentHash.ts',
		'runFiles/editing/runFileHover.ts',
		'suites/datasets/datasetText.ts',
		'suites/results/snapshots.ts',
	],
	'whether two paths are one file': ['common/sameFile.ts'],
};

describe('files that are read by a path', () => {
	const sources = path.join(root, 'src');
	const reading = fs
		.globSync('**/*.ts', { cwd: sources })
		.map(file => file.replaceAll(path.sep, '/'))
		.filter(file => !file.startsWith('gateway/'))
		.filter(file => /from 'node:fs(?:\/promises)?'/.test(fs.readFileSync(path.join(sources, file), 'utf8')));

	it('are resolved by the one function, or have a reason not to be', () => {
		const excused = Object.values(reasons).flat();
		const resolving = reading.filter(file => /\b(?:resolveInside|findInside)\(/.test(fs.readFileSync(path.join(sources, file), 'utf8')));
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
