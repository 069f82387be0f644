import os from 'node:os';
import { formatMessage } from '#base/text/localizableMessage.ts';
import { detectDeployment } from '#client/dify/detectDeployment.ts';
import { startDeviceLogin } from '#client/dify/deviceLogin.ts';
import type { DifyDeployment } from '#client/dify/management.ts';
import { signOut } from '#client/dify/signOut.ts';
import type { GivenArguments } from '../../arguments/givenArguments.ts';
import { CliFault, type ExitCode, exitCodes } from '../../cliFault.ts';
import type { Interrupt } from '../../interrupt.ts';
import { printLine, toPlainLine, writeOutput } from '../../output.ts';
import { chooseOrigin, getNamedOrigin } from './openDify.ts';
import { getTokenFile, readTokens, writeToken } from './tokenFile.ts';

/** Client ID that every Dify server knows. */
const defaultClientId = 'difyctl';

/** `dify login`: signs in with a code that is confirmed in a browser on this or another machine, and stores or prints the token. */
export function runLogin(given: GivenArguments, interrupt: Interrupt): Promise<ExitCode> {
	// there is nothing to stop yet, so Ctrl-C exits immediately
	return interrupt.runPreparation(async () => {
		const file = getTokenFile(process.env);
		const deployment = await detectDeployment(getNamedOrigin(given, process.env) ?? 'https://cloud.dify.ai');
		requireDeviceSignIn(deployment);
		const { origin } = deployment;
		// Dify revokes an earlier token with the same label: use the same label for the stored token, and a unique one for printed tokens
		const label = given.has('print-token') ? `token of ${new Date().toISOString()}` : 'command line';
		const started = await startDeviceLogin(deployment, {
			clientId: given.getValue('client-id') ?? defaultClientId,
			deviceLabel: `Agent Workbench ${label} on ${os.hostname()}`,
		});
		printLine(`Open this page in a browser where you are signed in to Dify: ${toPlainLine(started.verificationUri)}`);
		printLine(`If you started this sign-in, confirm this code there: ${toPlainLine(started.userCode)}`);
		const { session, account } = await started.finish();
		if (session.kind !== 'device') {
			throw new CliFault(`${origin}: the server returned no token.`);
		}
		const who = account === undefined ? '' : ` as ${toPlainLine(account.email)}`;
		const until = session.expiresAt === undefined ? '' : ` The token is valid until ${formatDay(session.expiresAt)}.`;
		if (given.has('print-token')) {
			await writeOutput(`${session.token}\n`);
			printLine(`Signed in to ${origin}${who}. The token isn't stored here.${until}`);
			return exitCodes.passed;
		}
		const { token, expiresAt, email } = session;
		await writeToken(file, origin, { token, ...(expiresAt !== undefined && { expiresAt }), ...(email !== undefined && { email }) });
		printLine(`Signed in to ${origin}${who}.${until} It's stored in ${file}.`);
		return exitCodes.passed;
	});
}

/** `dify logout`: deletes the stored token and revokes it on the server. */
export function runLogout(given: GivenArguments, interrupt: Interrupt): Promise<ExitCode> {
	return interrupt.runPreparation(async () => {
		const file = getTokenFile(process.env);
		const origin = chooseOrigin(given, process.env);
		const stored = origin === undefined ? undefined : readTokens(file)[origin];
		if (origin === undefined || stored === undefined) {
			throw new CliFault(origin === undefined ? "You aren't signed in to Dify." : `You aren't signed in to ${origin}.`);
		}
		await writeToken(file, origin, undefined);
		try {
			await signOut(await detectDeployment(origin), {
				kind: 'device',
				token: stored.token,
				expiresAt: stored.expiresAt,
				email: stored.email,
			});
		} catch (error) {
			printLine(toPlainLine(`${origin}: the token was deleted here, but couldn't be revoked on the server: ${(error as Error).message}`));
			return exitCodes.unreached;
		}
		printLine(`Signed out of ${origin}.`);
		return exitCodes.passed;
	});
}

/** Formats a time in Unix seconds as a date, for example `2026-12-07`. */
function formatDay(seconds: number): string {
	return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function requireDeviceSignIn({ origin, version, signIns, closedBecause }: DifyDeployment): void {
	if (signIns.includes('device')) {
		return;
	}
	const release = version === undefined ? 'Dify' : `Dify ${toPlainLine(version)}`;
	throw new CliFault(
		closedBecause
			? formatMessage(closedBecause)
			: `${release} at ${origin} doesn't support signing in from the command line (added in 1.15). Set DIFY_TOKEN to its ADMIN_API_KEY instead, and use --workspace.`,
	);
}
