import v8 from 'node:v8';
import vm from 'node:vm';

/** Runs a full garbage collection. */
export function collectGarbage(): void {
	v8.setFlagsFromString('--expose-gc');
	vm.runInNewContext('gc')();
}
