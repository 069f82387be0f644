import os from 'node:os';
import { detectDeployment } from '#client/dify/detectDeployment.ts';
import { startDeviceLogin } from '#client/dify/deviceLogin.ts';
import type { DifyDeployment } from '#client/dify/management.ts';
import { signOut } from '#client/dify/signOut.ts';
import type { GivenArguments } from '../../arguments/givenArguments.ts';
import { CliFault, type ExitCode, exitCodes } from '../../cliFault.ts';
import type { Interrupt } from '../../interrupt.ts';
import { plain, tell, write } from '../../output.ts';
import { chosenOrigin, namedOrigin } from './openDify.ts';
import { readTokens, tokenFileOf, writeToken } from './tokenFile.ts';

/** The client that every deployment knows. */
const defaultClientId = 'difyctl';

/** `dify login`: signs in by a code that is confirmed in a browser, on this machine or another, and stores or prints the token. */
export function login(given: GivenArguments, interrupt: Interrupt): Promise<ExitCode> {
	// nothing has to be stopped in order: Ctrl-C ends the process at once
	return interrupt.preparing(async () => {
		const file = tokenFileOf(process.env);
		const deployment = await detectDeployment(namedOrigin(given, process.env) ?? 'https://cloud.dify.ai');
		requireDevice(deployment);
		const { origin } = deployment;
		// a sign-in under the same label revokes the token before it: the stored one is replaced, and no other is ended by it
		const label = given.has('print-token') ? `token of ${new Date().toISOString()}` : 'command line';
		const started = await startDeviceLogin(deployment, {
			clientId: given.text('client-id') ?? defaultClientId,
			deviceLabel: `Agent Workbench ${label} on ${os.hostname()}`,
		});
		tell(`Open this page in a browser where you are signed in to Dify: ${plain(started.verificationUri)}`);
		tell(`Confirm this code there, and only if you started this sign-in: ${plain(started.userCode)}`);
		const { session, account } = await started.finish();
		if (session.kind !== 'device') {
			throw new CliFault(`${origin}: signing in returned no token.`);
		}
		const who = account === undefined ? '' : ` as ${plain(account.email)}`;
		const until = session.expiresAt === undefined ? '' : ` The token is valid until ${dayOf(session.expiresAt)}.`;
		if (given.has('print-token')) {
			await write(`${session.token}\n`);
			tell(`Signed in to ${origin}${who}. The token isn't stored here.${until}`);
			return exitCodes.passed;
		}
		const { token, expiresAt, email } = session;
		await writeToken(file, origin, { token, ...(expiresAt !== undefined && { expiresAt }), ...(email !== undefined && { email }) });
		tell(`Signed in to ${origin}${who}.${until} It's stored in ${file}.`);
		return exitCodes.passed;
	});
}

/** `dify logout`: forgets the stored token, and has the deployment revoke it. */
export function logout(given: GivenArguments, interrupt: Interrupt): Promise<ExitCode> {
	return interrupt.preparing(async () => {
		const file = tokenFileOf(process.env);
		const origin = chosenOrigin(given, process.env);
		const stored = origin === undefined ? undefined : readTokens(file)[origin];
		if (origin === undefined || stored === undefined) {
			throw new CliFault(origin === undefined ? 'No sign-in to Dify is stored.' : `No sign-in to ${origin} is stored.`);
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
			tell(plain(`${origin}: the token was deleted here, but couldn't be revoked on the server: ${(error as Error).message}`));
			return exitCodes.unreached;
		}
		tell(`Signed out of ${origin}.`);
		return exitCodes.passed;
	});
}

/** The day of a time in Unix seconds, as in `2026-12-07`. */
function dayOf(seconds: number): string {
	return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function requireDevice({ origin, version, signIns, closedBecause }: DifyDeployment): void {
	if (signIns.includes('device')) {
		return;
	}
	const release = version === undefined ? 'Dify' : `Dify ${plain(version)}`;
	throw new CliFault(
		closedBecause ??
			`${release} at ${origin} doesn't support signing in from the command line (added in 1.15). Set DIFY_TOKEN to its ADMIN_API_KEY instead, and use --workspace.`,
	);
}
