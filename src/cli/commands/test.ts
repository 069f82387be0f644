import type { GivenArguments } from '../arguments/givenArguments.ts';
import type { ExitCode } from '../cliFault.ts';
import type { Interrupt } from '../interrupt.ts';
export async function test(_given: GivenArguments, _interrupt: Interrupt): Promise<ExitCode> {
	return 2;
}
