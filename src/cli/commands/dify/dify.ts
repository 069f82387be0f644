import path from 'node:path';
import { FolderBackups } from '#dify/files/folderBackups.ts';
import type { GivenArguments } from '../../arguments/givenArguments.ts';
import { CliFault, type ExitCode, exitCodes } from '../../cliFault.ts';
import type { Interrupt } from '../../interrupt.ts';
import { writeOutput } from '../../output.ts';
import { resolveAgentFiles } from './agentFileArguments.ts';
import { diffFiles } from './diffFiles.ts';
import type { DifyWork } from './difyWork.ts';
import { listApps } from './listApps.ts';
import { runLogin, runLogout } from './login.ts';
import { openDifyAccount } from './openDify.ts';
import { publishFile } from './publishFile.ts';
import { pullFiles } from './pullFiles.ts';
import { pushFiles } from './pushFiles.ts';
import { getStateFolder } from './userFolders.ts';

const commands: Readonly<Record<string, (work: DifyWork) => Promise<ExitCode>>> = {
	'dify apps': listApps,
	'dify pull': pullFiles,
	'dify push': pushFiles,
	'dify diff': diffFiles,
	'dify publish': publishFile,
};

/** `agent-workbench dify …`: signs in to a Dify server, and works with its apps and their agent files. */
export async function runDify(name: string, given: GivenArguments, interrupt: Interrupt): Promise<ExitCode> {
	if (name === 'dify login' || name === 'dify logout') {
		return (name === 'dify login' ? runLogin : runLogout)(given, interrupt);
	}
	const { signal } = interrupt;
	const files = resolveAgentFiles(name, given);
	const account = openDifyAccount(given, process.env, signal);
	const backups = new FolderBackups(
		path.resolve(given.getValue('backups') ?? path.join(getStateFolder({ environment: process.env }), 'dify-backups')),
	);
	try {
		const command = commands[name] as (work: DifyWork) => Promise<ExitCode>;
		return await command({ given, files, open: account.open, backups, signal, write: writeOutput });
	} catch (error) {
		if (signal.aborted) {
			return exitCodes.interrupted;
		}
		throw (error as { code?: unknown }).code === 'session_expired' ? new CliFault(account.refused) : error;
	}
}
