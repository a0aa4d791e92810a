using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (
      name = "till",
      worker = (
        modules = [
          (name = "worker.mjs", esModule = embed "worker.mjs"),
          (name = "till.mjs", esModule = embed "till.mjs"),
          (name = "given.mjs", esModule = embed "given.mjs"),
          (name = "@laurel/client", esModule = embed "node_modules/@laurel/client/dist/index.mjs"),
        ],
        compatibilityDate = "2026-01-01",
      ),
    ),
    # The platform under test is on this machine, which workers may not call by themselves.
    (name = "internet", network = (allow = ["private"])),
  ],
);
