//! What all models share: where their files are, and who works on them when.
//!
//! A model is loaded once and asked by everybody. Each question is answered on
//! one thread: a second one saves nothing on models this small, and many people
//! talk at once.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::Tensor;

/// Why there is no model, or no answer from it.
#[derive(Debug, thiserror::Error)]
pub enum Unavailable {
    #[error("{} is not there; `make assets` fetches it", .0.display())]
    Missing(PathBuf),
    #[error("{} cannot be used ({because}); remove it and `make assets` fetches it again", path.display())]
    Broken { path: PathBuf, because: String },
    #[error("{} has no {what}; it is to hold a model in ONNX with its settings beside it", folder.display())]
    Lacks { folder: PathBuf, what: String },
    #[error("{} cannot be used ({because})", path.display())]
    Foreign { path: PathBuf, because: String },
    #[error("{service} {because}")]
    Away { service: String, because: String },
}

impl Unavailable {
    /// The same of a file that somebody else brought: we cannot fetch it again.
    pub(crate) fn foreign(self) -> Self {
        match self {
            Self::Broken { path, because } => Self::Foreign { path, because },
            Self::Missing(_) | Self::Lacks { .. } | Self::Foreign { .. } | Self::Away { .. } => {
                self
            }
        }
    }
}

pub(crate) fn broken(path: &Path, because: impl Display) -> Unavailable {
    Unavailable::Broken { path: path.to_owned(), because: because.to_string() }
}

/// The file `name` of `folder` among the assets, if it is there.
pub(crate) fn file(assets: &Path, folder: &str, name: &str) -> Result<PathBuf, Unavailable> {
    let path = assets.join(folder).join(name);
    if path.is_file() { Ok(path) } else { Err(Unavailable::Missing(path)) }
}

/// A file of a folder that somebody else filled, there or in its `onnx`.
pub(crate) fn beside(folder: &Path, name: &str) -> Result<PathBuf, Unavailable> {
    let places = [folder.join(name), folder.join("onnx").join(name)];
    places.into_iter().find(|path| path.is_file()).ok_or_else(|| lacks(folder, name))
}

pub(crate) fn lacks(folder: &Path, what: &str) -> Unavailable {
    Unavailable::Lacks { folder: folder.to_owned(), what: what.to_owned() }
}

pub(crate) fn are_there(assets: &Path, folder: &str, names: &[&str]) -> bool {
    names.iter().all(|name| file(assets, folder, name).is_ok())
}

/// Threads to answer on, one question each. The least busy is taken.
pub struct Lanes {
    lanes: Vec<(Arc<ThreadPool>, AtomicUsize)>,
}

impl Lanes {
    pub fn new(count: usize) -> Arc<Self> {
        let lane = |_| (Arc::new(ThreadPool::with_num_threads(1)), AtomicUsize::new(0));
        Arc::new(Self { lanes: (0..count.max(1)).map(lane).collect() })
    }

    /// As many as there are processors.
    pub fn one_each() -> Arc<Self> {
        Self::new(std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn run<T>(&self, work: impl FnOnce(RunOptions) -> T) -> T {
        let least = self.lanes.iter().min_by_key(|(_, busy)| busy.load(Ordering::Relaxed));
        let (pool, busy) = least.expect("there is at least one");
        busy.fetch_add(1, Ordering::Relaxed);
        let answer = work(RunOptions::default().with_thread_pool(Some(Arc::clone(pool))));
        busy.fetch_sub(1, Ordering::Relaxed);
        answer
    }
}

/// A model and the lanes it is asked on.
pub(crate) struct Engine {
    path: PathBuf,
    model: Model,
    lanes: Arc<Lanes>,
}

impl Engine {
    pub fn load(path: PathBuf, lanes: &Arc<Lanes>) -> Result<Self, Unavailable> {
        // Weights packed ahead would save 7 % of the time and cost 80 MB.
        let model = ModelOptions::with_all_ops().load_file(&path);
        let model = model.map_err(|error| broken(&path, error))?;
        Ok(Self { path, model, lanes: Arc::clone(lanes) })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn node(&self, name: &str) -> Result<NodeId, Unavailable> {
        self.model.node_id(name).map_err(|error| broken(&self.path, error))
    }

    /// Inputs by name, in the order of the model.
    pub fn inputs(&self) -> Vec<(NodeId, String)> {
        self.model.input_ids().iter().map(|id| (*id, self.name(*id))).collect()
    }

    pub fn outputs(&self) -> Vec<(NodeId, String)> {
        self.model.output_ids().iter().map(|id| (*id, self.name(*id))).collect()
    }

    fn name(&self, id: NodeId) -> String {
        let info = self.model.node_info(id);
        info.and_then(|node| node.name().map(str::to_owned)).unwrap_or_default()
    }

    pub fn run(
        &self,
        inputs: Vec<(NodeId, ValueOrView<'_>)>,
        outputs: &[NodeId],
    ) -> Result<Vec<Value>, Unavailable> {
        let answer = self.lanes.run(|options| self.model.run(inputs, outputs, Some(options)));
        answer.map_err(|error| broken(&self.path, error))
    }

    pub fn floats(&self, value: Value) -> Result<Tensor<f32>, Unavailable> {
        value.try_into().map_err(|error| broken(&self.path, error))
    }

    pub fn ints(&self, value: Value) -> Result<Tensor<i32>, Unavailable> {
        value.try_into().map_err(|error| broken(&self.path, error))
    }
}

pub(crate) fn floats(shape: &[usize], data: Vec<f32>) -> Value {
    Tensor::from_data(shape, data).into()
}

pub(crate) fn ints(shape: &[usize], data: Vec<i32>) -> Value {
    Tensor::from_data(shape, data).into()
}
