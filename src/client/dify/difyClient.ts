// Entry point of this folder's chunk, which the editor loads when it first manages a deployment.
import { logInToConsole } from './consoleLogin.ts';
import { detectDeployment } from './detectDeployment.ts';
import { startDeviceLogin } from './deviceLogin.ts';
import { openManagement } from './openManagement.ts';
import { signOut } from './signOut.ts';

/** Entry points for managing deployments. */
export const difyClient = { detectDeployment, startDeviceLogin, consoleLogin: logInToConsole, openManagement, signOut };
