// SPDX-License-Identifier: MIT
// A machine without installed software: the smallest root of the distribution, from the mirror of this machine. Commands run in it with
// their own mounts and processes.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root as project, run, which } from '../../../scripts/lib.mjs';

const APT = '/etc/apt';

/** The mirror from which this machine gets its distribution packages. */
function mirror() {
  const parts = join(APT, 'sources.list.d');
  const modern = existsSync(parts)
    ? readdirSync(parts).filter((name) => /^(debian|ubuntu).*\.sources$/.test(name))
    : [];
  for (const name of modern) {
    const found = /^URIs:\s*(\S+)/m.exec(readFileSync(join(parts, name), 'utf8'));
    if (found) return found[1];
  }
  const old = existsSync(join(APT, 'sources.list')) ? readFileSync(join(APT, 'sources.list'), 'utf8') : '';
  return /^deb (?:\[.*?\] )?(\S+)/m.exec(old)?.[1] ?? null;
}

// Settings of the local network: extra certificates, proxy.
const AUTHORITIES = ['/usr/local/share/ca-certificates', '/etc/ssl/certs/ca-certificates.crt'];
const SETTINGS = [
  'NODE_EXTRA_CA_CERTS',
  'PIP_CERT',
  'SSL_CERT_FILE',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'PIP_RETRIES',
  'npm_config_fetch_retries',
];

const release = () =>
  existsSync('/etc/os-release')
    ? /^VERSION_CODENAME=(\S+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
    : undefined;
const debootstrap = () => which('debootstrap') ?? ['/usr/sbin/debootstrap'].find(existsSync) ?? null;

const APART = ['--mount', '--pid', '--fork', '--kill-child']; // separate from this machine's mounts and processes

/** The reason why such a root is impossible here; null: it is possible. */
export function missing() {
  if (process.getuid?.() !== 0) return 'a clean root is made by root only';
  if (!debootstrap() || !which('unshare')) return 'a clean root is made by debootstrap and entered by unshare';
  if (!mirror() || !release()) return 'a clean root is made of Debian or Ubuntu, on Debian or Ubuntu';
  return enters() ? null : 'the kernel allows no mounts, processes and devices of its own here';
}

/** Whether a root can be entered and have devices, which containers often forbid. */
function enters() {
  const folder = mkdtempSync(join(tmpdir(), 'tonkopf-root-')),
    trial =
      'mount -t proc proc "$0"; umount "$0"; mount --rbind /dev "$0"; umount --lazy "$0"; mknod "$0/null" c 1 3; echo > "$0/null"';
  const { status } = spawnSync('unshare', [...APART, 'sh', '-euc', trial, folder], { stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
  return status === 0;
}

/** Copies Node and npm into the root, because those of the distribution are too old. @param {string} folder */
function copyNode(folder) {
  const modules = dirname(dirname(realpathSync(/** @type {string} */ (which('npm')))));
  cpSync(process.execPath, join(folder, 'usr/local/bin/node'));
  cpSync(modules, join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, 'usr/local/bin', name));
}

/** A copy of the project with its uncommitted changes. In a container of a workflow another user owns the checkout, which git accepts only with a setting. @param {string} folder */
function copyProject(folder) {
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync(
    'bash',
    [
      '-euo',
      'pipefail',
      '-c',
      'git -c safe.directory="$PWD" ls-files -z --cached --others --exclude-standard | tar -c --null --verbatim-files-from --ignore-failed-read -T - | tar -x -C "$0"',
      folder,
    ],
    { cwd: project, stdio: 'inherit' },
  );
  if (status !== 0) throw new Error('the project could not be copied');
}

export function makeRoot() {
  const folder = mkdtempSync(join(tmpdir(), 'tonkopf-root-')),
    work = join(folder, 'try'),
    remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    run(
      'unshare',
      [
        '--mount',
        /** @type {string} */ (debootstrap()),
        '--variant=minbase',
        /** @type {string} */ (release()),
        folder,
        /** @type {string} */ (mirror()),
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
  } catch (error) {
    remove();
    throw error;
  }
  mkdirSync(work);
  for (const path of AUTHORITIES.filter(existsSync)) cpSync(path, join(folder, path), { recursive: true });
  const settings = SETTINGS.flatMap((name) => (process.env[name] ? [`${name}=${process.env[name]}`] : []));
  /** Runs a shell script in /try and returns its output. @param {string} script */
  const within = (script) => {
    const words = [
      'env',
      '-i',
      'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'HOME=/root',
      'LC_ALL=C.UTF-8',
      'DEBIAN_FRONTEND=noninteractive',
      ...settings,
      'bash',
      '-euo',
      'pipefail',
      '-c',
      `cd /try; ${script}`,
    ];
    const enter = 'mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; exec chroot "$0" "$@"';
    const { status, stdout, stderr } = spawnSync('unshare', [...APART, 'sh', '-euc', enter, folder, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`${script}\n${stdout.slice(-4000)}${stderr.slice(-4000)}`);
    return stdout;
  };
  return {
    folder,
    work,
    run: within,
    /** Installs packages of the distribution. @param {string[]} packages */
    install: (...packages) =>
      within(
        `apt-get -o Acquire::Retries=5 update -qq; apt-get -o Acquire::Retries=5 install -y -qq --no-install-recommends ${packages.join(' ')}`,
      ),
    copyNode: () => copyNode(folder),
    copyProject: () => copyProject(join(work, 'tonkopf')),
    remove,
  };
}
